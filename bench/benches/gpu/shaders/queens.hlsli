// Boards, for the graph and for the hand-written compute shaders.

// Taken columns, and the places in the next row that diagonals take.
struct Board { uint columns; uint left; uint right; };

uint Free(Board board)
{
    return ~(board.columns | board.left | board.right) & ((1u << QUEENS) - 1);
}

Board Set(Board board, uint place)
{
    board.columns |= place;
    board.left = (board.left | place) << 1;
    board.right = (board.right | place) >> 1;
    return board;
}
