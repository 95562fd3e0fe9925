// Overloaded operators, cases that fall through, conditions that declare, string literals as arrays, casts between
// shapes, a float that selects. The values in operators.run.json are worked out manually.

RWStructuredBuffer<uint> Out : register(u0);

struct Rec
{
    uint seed;
};

struct Money
{
    int cents;

    Money operator+(Money other)
    {
        Money sum = { cents + other.cents };
        return sum;
    }
    Money operator+(int more)
    {
        Money sum = { cents + more * 100 };
        return sum;
    }
    Money operator-(Money other)
    {
        Money rest = { cents - other.cents };
        return rest;
    }
    Money operator-()
    {
        Money debt = { -cents };
        return debt;
    }
    bool operator!() { return cents == 0; }
    bool operator==(Money other) { return cents == other.cents; }
    bool operator<(Money other) { return cents < other.cents; }
    bool operator&&(bool other) { return other; } // not short-circuit, and not the built-in meaning
    int operator()(int a, int b) { return cents * a + b; }
    int operator[](uint digit);
};

int Money::operator[](uint digit)
{
    int left = cents;
    for (uint i = 0; i < digit; i++)
        left /= 10;
    return left % 10;
}

// A case without a break runs on as on a host: 0 -> 1 -> 2, 3 -> default -> 4.
uint fall(uint x)
{
    uint sum = 0;
    switch (x)
    {
    case 0:
        sum += 1;
    case 1:
    {
        uint twice = sum + 10;
        sum += twice;
    }
    case 2:
        sum += 100;
        break;
    case 3:
        sum += 1000;
    default:
        sum += 10000;
        if (x == 7)
            break;
    case 4:
        sum += 100000;
    }
    return sum;
}

uint halve(uint x)
{
    uint rounds = 0;
    while (uint half_of = x / 2)
    {
        x = half_of;
        rounds++;
        if (rounds == 2)
            continue;
        if (rounds > 20)
            break;
    }
    if (uint rest = x - 1)
        return rest * 1000;
    else
        return rounds + rest;
}

template<typename T, uint N>
uint count(T text[N], uint c)
{
    uint sum = 0;
    for (uint i = 0; i < N; i++)
        sum += text[i] == c ? 1 : 0;
    return sum * 100 + N;
}

template<uint N>
uint last(uint text[N])
{
    return text[N - 2];
}

struct Three
{
    uint a;
    uint2 bc;
};

[Shader("node")]
[NodeLaunch("broadcasting")]
[NodeDispatchGrid(1, 1, 1)]
[NumThreads(8, 1, 1)]
[NodeIsProgramEntry]
void Main(DispatchNodeInputRecord<Rec> rec, uint tid : SV_GroupIndex)
{
    uint seed = rec.Get().seed; // 250
    Out[16 + tid] = fall(tid);
    if (tid > 0)
        return;

    Money wallet = { seed };
    Money price = { 99 };
    Out[0] = (wallet + price).cents;            // 349
    Out[1] = (wallet + 2 - price).cents;        // 351
    Out[2] = (-(-wallet)).cents;                // 250
    Out[3] = !wallet ? 1 : 2;                   // 2
    Out[4] = wallet == price ? 1 : price < wallet ? 3 : 2; // 3
    Out[5] = wallet && true ? 6 : 7;            // 6
    Out[6] = wallet(2, 1) + price[1];           // 501 + 9
    Out[7] = halve(seed) * 10 + halve(1);       // 7 halvings: 250 125 62 31 15 7 3 1

    Out[8] = count("banana", 'a');              // 3 of 7, the zero counts
    Out[9] = last("wgc");                       // 'c' is 99
    int numbers[3] = { 4, 5, 6 };
    float3 row = (float3)numbers;
    Out[10] = (uint)(row.x * 100 + row.y * 10 + row.z); // 456
    Three three = (Three)uint3(7, 8, seed);
    Out[11] = three.a + three.bc.x * 10 + three.bc.y; // 7 + 80 + 250
    Out[12] = (uint)min(seed, float2(5, 9)).x; // 5
    float selector = 2.75f;
    uint chosen = 0;
    switch (selector) { case 2: chosen = 22; break; default: chosen = 33; }
    Out[13] = chosen;                           // a float selects as an integer
}
