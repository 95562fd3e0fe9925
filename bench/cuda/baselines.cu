// Some workloads of benches/gpu in CUDA, for the same device. The host launches the kernels, or kernels launch others (dynamic
// parallelism). The host computes the expected results sequentially.
//
//     nvcc -O3 -std=c++17 -arch=sm_90 -rdc=true baselines.cu -o baselines && ./baselines
//
// The kernels and the sequential programs are those of the benchmark, statement by statement. The figures are in
// docs/measurements.md. A time is that between two events of the stream, after 20 ms of arithmetic.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#define CHECK(call)                                                                                                     \
    do                                                                                                                  \
    {                                                                                                                   \
        cudaError_t error = (call);                                                                                     \
        if (error != cudaSuccess)                                                                                       \
        {                                                                                                               \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                                         \
            std::exit(1);                                                                                               \
        }                                                                                                               \
    } while (false)

using uint = unsigned int;

static const int SAMPLES = 9;

// ---- shared by all workloads

__global__ void warm(float* out)
{
    float x = threadIdx.x;
    for (int turn = 0; turn < 50000; turn++)
        x = x * 0.999f + 0.5f;
    if (x == -1.0f)
        *out = x;
}

template <typename T> T* memory(size_t count)
{
    T* made = nullptr;
    CHECK(cudaMalloc(&made, count * sizeof(T)));
    CHECK(cudaMemset(made, 0, count * sizeof(T)));
    return made;
}

// Runs a workload several times and checks each result. Prints the median and the shortest time.
void measure(const std::string& workload, const char* way, uint* out, const std::vector<uint>& expected,
             const std::function<void(cudaStream_t)>& run)
{
    cudaStream_t stream;
    cudaEvent_t begin, end;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    float* trash = memory<float>(1);
    std::vector<float> times;
    std::vector<uint> found(expected.size());
    for (int sample = 0; sample < SAMPLES + 2; sample++)
    {
        CHECK(cudaMemset(out, 0, expected.size() * sizeof(uint)));
        CHECK(cudaDeviceSynchronize());
        for (int turn = 0; turn < 24; turn++)
            warm<<<8192, 256, 0, stream>>>(trash);
        CHECK(cudaEventRecord(begin, stream));
        run(stream);
        CHECK(cudaEventRecord(end, stream));
        CHECK(cudaGetLastError());
        CHECK(cudaDeviceSynchronize());
        float milliseconds = 0;
        CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
        CHECK(cudaMemcpy(found.data(), out, found.size() * sizeof(uint), cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < found.size(); i++)
        {
            if (found[i] != expected[i])
            {
                std::fprintf(stderr, "%s, %s: word %zu is %u, not %u\n", workload.c_str(), way, i, found[i],
                             expected[i]);
                std::exit(1);
            }
        }
        // The first two runs warm up caches and allocate memory for launches.
        if (sample >= 2)
            times.push_back(milliseconds * 1000);
    }
    std::sort(times.begin(), times.end());
    std::printf("| %s | %s | %.1f us | %.1f us |\n", workload.c_str(), way, times[times.size() / 2], times[0]);
    std::fflush(stdout);
    CHECK(cudaFree(trash));
    CHECK(cudaStreamDestroy(stream));
}

__host__ __device__ uint hash(uint x)
{
    x ^= x >> 16;
    x *= 0x7feb352d;
    x ^= x >> 15;
    x *= 0x846ca68b;
    return x ^ (x >> 16);
}

// ---- a chain of nodes

struct Item
{
    uint id, value;
};

__global__ void link(const Item* from, Item* to, uint* out, uint count)
{
    uint at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= count)
        return;
    Item item = from[at];
    item.value = item.value * 3 + 1;
    if (out)
        out[item.id] = item.value;
    else
        to[at] = item;
}

void chain(uint length, uint count)
{
    std::vector<Item> items(count);
    std::vector<uint> expected(count);
    for (uint id = 0; id < count; id++)
    {
        items[id] = {id, id * 17};
        expected[id] = id * 17;
        for (uint turn = 0; turn < length; turn++)
            expected[id] = expected[id] * 3 + 1;
    }
    Item* lists[3] = {memory<Item>(count), memory<Item>(count), memory<Item>(count)};
    uint* out = memory<uint>(count);
    CHECK(cudaMemcpy(lists[0], items.data(), count * sizeof(Item), cudaMemcpyHostToDevice));
    auto launch = [&](cudaStream_t stream) {
        for (uint turn = 0; turn < length; turn++)
        {
            const Item* from = turn == 0 ? lists[0] : lists[1 + turn % 2];
            link<<<(count + 63) / 64, 64, 0, stream>>>(from, lists[2 - turn % 2], turn + 1 == length ? out : nullptr, count);
        }
    };
    std::string name = std::to_string(length) + " nodes, " + std::to_string(count) + " records";
    measure(name, "a kernel for each node", out, expected, launch);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t made;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    launch(stream);
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&made, graph, 0));
    measure(name, "the same as a CUDA graph", out, expected, [&](cudaStream_t on) { CHECK(cudaGraphLaunch(made, on)); });
}

// ---- pixels to a hundred materials, 32 bytes each

static const uint MATERIALS = 100;

struct Payload
{
    uint pixel, material, data[6];
};

__host__ __device__ uint material_of(uint pixel, uint width, bool coherent)
{
    uint tile = (pixel / width / 32) * (width / 32) + pixel % width / 32;
    return hash(coherent ? tile : pixel) % MATERIALS;
}

__host__ __device__ Payload made_of(uint pixel, uint material)
{
    Payload made;
    made.pixel = pixel;
    made.material = material;
    for (uint i = 0; i < 6; i++)
        made.data[i] = pixel * (i + 1) + material;
    return made;
}

__host__ __device__ uint shaded(const Payload& p)
{
    uint sum = p.material;
    for (uint i = 0; i < 6; i++)
        sum = sum * 31 + p.data[i];
    return sum;
}

struct Bins
{
    uint counts[MATERIALS], first[MATERIALS], next[MATERIALS];
};

__global__ void clear(Bins* bins)
{
    if (threadIdx.x < MATERIALS)
        bins->counts[threadIdx.x] = 0;
}

__global__ void count(Bins* bins, uint width, bool coherent)
{
    __shared__ uint own[MATERIALS];
    uint thread = threadIdx.y * 8 + threadIdx.x;
    for (uint i = thread; i < MATERIALS; i += 64)
        own[i] = 0;
    __syncthreads();
    uint pixel = (blockIdx.y * 8 + threadIdx.y) * width + blockIdx.x * 8 + threadIdx.x;
    atomicAdd(&own[material_of(pixel, width, coherent)], 1);
    __syncthreads();
    for (uint bin = thread; bin < MATERIALS; bin += 64)
        if (own[bin] != 0)
            atomicAdd(&bins->counts[bin], own[bin]);
}

__global__ void prefix(Bins* bins)
{
    uint sum = 0;
    for (uint i = 0; i < MATERIALS; i++)
    {
        bins->first[i] = bins->next[i] = sum;
        sum += bins->counts[i];
    }
}

__global__ void scatter(Bins* bins, Payload* sorted, uint width, bool coherent)
{
    __shared__ uint own[MATERIALS], places[MATERIALS];
    uint thread = threadIdx.y * 8 + threadIdx.x;
    for (uint i = thread; i < MATERIALS; i += 64)
        own[i] = 0;
    __syncthreads();
    uint pixel = (blockIdx.y * 8 + threadIdx.y) * width + blockIdx.x * 8 + threadIdx.x;
    uint material = material_of(pixel, width, coherent);
    uint rank = atomicAdd(&own[material], 1);
    __syncthreads();
    for (uint bin = thread; bin < MATERIALS; bin += 64)
        if (own[bin] != 0)
            places[bin] = atomicAdd(&bins->next[bin], own[bin]);
    __syncthreads();
    sorted[places[material] + rank] = made_of(pixel, material);
}

__global__ void consume(const Bins* bins, const Payload* sorted, uint* out, uint material)
{
    uint at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= bins->counts[material])
        return;
    Payload p = sorted[bins->first[material] + at];
    out[p.pixel] = shaded(p);
}

// CUDA has no indirect launch. Only the device knows the number of threads of a material.
__global__ void launch_consumers(const Bins* bins, const Payload* sorted, uint* out)
{
    uint material = threadIdx.x;
    if (material < MATERIALS && bins->counts[material] != 0)
        consume<<<(bins->counts[material] + 63) / 64, 64, 0, cudaStreamFireAndForget>>>(bins, sorted, out, material);
}

void classify(uint width, uint height, bool coherent)
{
    uint pixels = width * height;
    std::vector<uint> expected(pixels);
    uint most = 0;
    std::vector<uint> counts(MATERIALS);
    for (uint pixel = 0; pixel < pixels; pixel++)
    {
        uint material = material_of(pixel, width, coherent);
        expected[pixel] = shaded(made_of(pixel, material));
        most = std::max(most, ++counts[material]);
    }
    Bins* bins = memory<Bins>(1);
    Payload* sorted = memory<Payload>(pixels);
    uint* out = memory<uint>(pixels);
    dim3 grid(width / 8, height / 8), block(8, 8);
    auto sort = [=](cudaStream_t stream) {
        clear<<<1, 128, 0, stream>>>(bins);
        count<<<grid, block, 0, stream>>>(bins, width, coherent);
        prefix<<<1, 1, 0, stream>>>(bins);
        scatter<<<grid, block, 0, stream>>>(bins, sorted, width, coherent);
    };
    std::string name = "classify " + std::to_string(pixels) + " pixels, " + (coherent ? "coherent" : "random") + ", 32 bytes";
    measure(name, "sorted, the host knows the fullest material", out, expected, [=](cudaStream_t stream) {
        sort(stream);
        for (uint material = 0; material < MATERIALS; material++)
            consume<<<(most + 63) / 64, 64, 0, stream>>>(bins, sorted, out, material);
    });
    measure(name, "sorted, the device launches the materials", out, expected, [=](cudaStream_t stream) {
        sort(stream);
        launch_consumers<<<1, 128, 0, stream>>>(bins, sorted, out);
    });
    CHECK(cudaFree(sorted));
    CHECK(cudaFree(out));
}

// ---- the Mandelbrot set by quarters of squares

static const uint LEAST = 16, LARGEST = 128, TURNS = 256, MIXED = 0xffffffff;

__host__ __device__ uint turns_of(uint width, uint px, uint py)
{
    int step = (3 << 13) / width;
    int cx = (int)px * step - (9 << 11), cy = (int)py * step - (3 << 12), x = 0, y = 0;
    uint turns = 0;
    for (; turns < TURNS; turns++)
    {
        uint xx = ((uint)x * (uint)x) >> 13, yy = ((uint)y * (uint)y) >> 13;
        if (xx + yy > 4 << 13)
            break;
        y = (x * y >> 12) + cy;
        x = (int)(xx - yy) + cx;
    }
    return turns;
}

__global__ void fill(uint* out, uint width, uint x, uint y, uint value)
{
    out[(y + blockIdx.y * 8 + threadIdx.y) * width + x + blockIdx.x * 8 + threadIdx.x] = value;
}

__global__ void pixels(uint* out, uint width, uint x, uint y)
{
    uint px = x + blockIdx.x * 8 + threadIdx.x, py = y + blockIdx.y * 8 + threadIdx.y;
    out[py * width + px] = turns_of(width, px, py);
}

// Tests one square in each block. Launches a kernel that fills it, computes its pixels, or tests its quarters.
__global__ void squares(uint* out, uint width, uint x, uint y, uint size)
{
    __shared__ uint least, most;
    x += blockIdx.x * size;
    y += blockIdx.y * size;
    if (threadIdx.x == 0)
    {
        least = MIXED;
        most = 0;
    }
    __syncthreads();
    for (uint i = threadIdx.x; i < 4 * size; i += 64)
    {
        uint side = i / size, along = i % size, across = (side & 1) * (size - 1);
        uint turns = turns_of(width, x + (side < 2 ? along : across), y + (side < 2 ? across : along));
        atomicMin(&least, turns);
        atomicMax(&most, turns);
    }
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    dim3 tile(8, 8);
    if (least == most)
        fill<<<dim3(size / 8, size / 8), tile, 0, cudaStreamFireAndForget>>>(out, width, x, y, least);
    else if (size == LEAST)
        pixels<<<dim3(2, 2), tile, 0, cudaStreamFireAndForget>>>(out, width, x, y);
    else
        squares<<<dim3(2, 2), 64, 0, cudaStreamFireAndForget>>>(out, width, x, y, size / 2);
}

void draw(uint width, uint x, uint y, uint size, std::vector<uint>& out)
{
    uint value = turns_of(width, x, y);
    bool even = true;
    for (uint i = 0; i < size && even; i++)
        even = turns_of(width, x + i, y) == value && turns_of(width, x + i, y + size - 1) == value
               && turns_of(width, x, y + i) == value && turns_of(width, x + size - 1, y + i) == value;
    if (!even && size > LEAST)
    {
        for (uint quarter = 0; quarter < 4; quarter++)
            draw(width, x + (quarter & 1) * size / 2, y + (quarter >> 1) * size / 2, size / 2, out);
        return;
    }
    for (uint py = y; py < y + size; py++)
        for (uint px = x; px < x + size; px++)
            out[py * width + px] = even ? value : turns_of(width, px, py);
}

void quadtree(uint width)
{
    std::vector<uint> expected(width * width);
    for (uint y = 0; y < width; y += LARGEST)
        for (uint x = 0; x < width; x += LARGEST)
            draw(width, x, y, LARGEST, expected);
    uint* out = memory<uint>(width * width);
    std::string name = "Mandelbrot set by quarters, " + std::to_string(width) + " x " + std::to_string(width);
    measure(name, "squares launch their quarters", out, expected, [=](cudaStream_t stream) {
        squares<<<dim3(width / LARGEST, width / LARGEST), 64, 0, stream>>>(out, width, 0, 0, LARGEST);
    });
}

// ---- queens

struct Board
{
    uint columns, left, right;
};

__host__ __device__ uint free_places(Board board, uint rows)
{
    return ~(board.columns | board.left | board.right) & ((1u << rows) - 1);
}

__host__ __device__ Board set(Board board, uint place)
{
    return {board.columns | place, (board.left | place) << 1, (board.right | place) >> 1};
}

// Fills the device with blocks, which loop over the boards of a row. Only the device knows their number.
__global__ void place(const Board* from, Board* to, uint* counts, uint* out, uint row, uint rows)
{
    __shared__ uint own, base;
    uint boards = row == 0 ? 1 : counts[row];
    for (uint first = blockIdx.x * 64; first < boards; first += gridDim.x * 64)
    {
        if (threadIdx.x == 0)
            own = 0;
        __syncthreads();
        Board board = {};
        uint places = 0, rank = 0;
        if (first + threadIdx.x < boards)
        {
            board = row == 0 ? Board{} : from[first + threadIdx.x];
            places = free_places(board, rows);
            if (places != 0)
                rank = atomicAdd(&own, __popc(places));
        }
        __syncthreads();
        if (threadIdx.x == 0 && own != 0)
            base = row + 1 == rows ? atomicAdd(out, own) : atomicAdd(&counts[row + 1], own);
        __syncthreads();
        if (row + 1 == rows)
            continue;
        for (uint slot = base + rank; places != 0; slot++)
        {
            to[slot] = set(board, places & (0 - places));
            places &= places - 1;
        }
    }
}

void count_boards(uint rows, uint row, Board board, std::vector<size_t>& boards)
{
    boards[row]++;
    if (row == rows)
        return;
    for (uint column = 0; column < rows; column++)
        if (free_places(board, rows) >> column & 1)
            count_boards(rows, row + 1, set(board, 1u << column), boards);
}

void queens(uint rows, uint known)
{
    std::vector<size_t> boards(rows + 1);
    count_boards(rows, 0, {}, boards);
    size_t most = *std::max_element(boards.begin(), boards.end() - 1);
    Board* lists[2] = {memory<Board>(most), memory<Board>(most)};
    uint *counts = memory<uint>(rows + 1), *out = memory<uint>(1);
    measure(std::to_string(rows) + " queens", "a kernel for each row", out, {known}, [=](cudaStream_t stream) {
        CHECK(cudaMemsetAsync(counts, 0, (rows + 1) * sizeof(uint), stream));
        for (uint row = 0; row < rows; row++)
            place<<<132 * 16, 64, 0, stream>>>(lists[row % 2], lists[(row + 1) % 2], counts, out, row, rows);
    });
    CHECK(cudaFree(lists[0]));
    CHECK(cudaFree(lists[1]));
}

int main()
{
    cudaDeviceProp device;
    int driver = 0, runtime = 0;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    // The limit of pending launches: one for each square, and some more.
    CHECK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 1 << 16));
    std::printf("%s, CUDA driver %d, runtime %d\n\n| workload | way | median | least |\n|---|---|---:|---:|\n", device.name,
                driver, runtime);
    for (uint length : {5u, 31u})
        for (uint records : {1u, 1000u, 1000000u})
            chain(length, records);
    for (bool coherent : {false, true})
    {
        classify(640, 480, coherent);
        classify(1920, 1088, coherent);
        classify(3840, 1632, coherent);
    }
    quadtree(1024);
    quadtree(4096);
    queens(12, 14200);
    queens(13, 73712);
    queens(14, 365596);
}
