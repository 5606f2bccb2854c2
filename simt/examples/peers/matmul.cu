// The kernel of ../src/gemm.rs in CUDA C++, with the same tiles, loads and launches, and its rate:
//
//     nvcc -O3 -arch=native -o matmul matmul.cu && ./matmul
//
// beside `cargo run --release -p simt_examples --example floats -- --gpu`.

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int SIZE = 4096;
constexpr int LAUNCHES = 20;
constexpr int TILE = 128;
constexpr int STEP = 8;
constexpr int SIDE = 16;
constexpr int ROW = TILE / 4;
constexpr int COLUMN = TILE / 4 + 1;

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

__device__ void eight(const float4 *tile, unsigned place, float (&out)[8]) {
    float4 low = tile[place], high = tile[place + 16];
    out[0] = low.x, out[1] = low.y, out[2] = low.z, out[3] = low.w;
    out[4] = high.x, out[5] = high.y, out[6] = high.z, out[7] = high.w;
}

__global__ void __launch_bounds__(SIDE *SIDE)
matmul_registers(const float *a, const float *b, float *c, unsigned k, unsigned n) {
    __shared__ float4 tile_a[STEP * COLUMN];
    __shared__ float4 tile_b[STEP * ROW];
    float *words_a = reinterpret_cast<float *>(tile_a);
    unsigned x = threadIdx.x, y = threadIdx.y, t = y * SIDE + x;
    unsigned top = blockIdx.y * TILE, left = blockIdx.x * TILE;
    unsigned row_a = t / 2, column_a = t % 2 * 4;
    unsigned row_b = t / ROW, column_b = t % ROW;
    auto load_a = [&](unsigned first) {
        return reinterpret_cast<const float4 *>(a)[((top + row_a) * k + first + column_a) / 4];
    };
    auto load_b = [&](unsigned first) {
        return reinterpret_cast<const float4 *>(b)[((first + row_b) * n + left) / 4 + column_b];
    };

    float sums[8][8] = {};
    float4 next_a = load_a(0), next_b = load_b(0);
    unsigned first = 0;
    while (first < k) {
        words_a[(column_a + 0) * COLUMN * 4 + row_a] = next_a.x;
        words_a[(column_a + 1) * COLUMN * 4 + row_a] = next_a.y;
        words_a[(column_a + 2) * COLUMN * 4 + row_a] = next_a.z;
        words_a[(column_a + 3) * COLUMN * 4 + row_a] = next_a.w;
        tile_b[row_b * ROW + column_b] = next_b;
        __syncthreads();
        first += STEP;
        if (first < k) {
            next_a = load_a(first);
            next_b = load_b(first);
        }
#pragma unroll
        for (unsigned i = 0; i < STEP; ++i) {
            float eight_a[8], eight_b[8];
            eight(tile_a, i * COLUMN + y, eight_a);
            eight(tile_b, i * ROW + x, eight_b);
#pragma unroll
            for (int row = 0; row < 8; ++row)
#pragma unroll
                for (int column = 0; column < 8; ++column)
                    sums[row][column] = fmaf(eight_a[row], eight_b[column], sums[row][column]);
        }
        __syncthreads();
    }

#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
        unsigned row = top + i / 4 * 64 + y * 4 + i % 4;
        unsigned place = (row * n + left) / 4 + x;
        float4 *out = reinterpret_cast<float4 *>(c);
        out[place] = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
        out[place + 16] = make_float4(sums[i][4], sums[i][5], sums[i][6], sums[i][7]);
    }
}

int main() {
    const size_t len = size_t(SIZE) * SIZE;
    std::vector<float> left(len), right(len), product(len);
    for (size_t i = 0; i < len; ++i) {
        left[i] = float(i * 7 % 13) - 6;
        right[i] = float(i * 5 % 11) - 5;
    }
    float *a, *b, *c;
    check(cudaMalloc(&a, len * sizeof(float)));
    check(cudaMalloc(&b, len * sizeof(float)));
    check(cudaMalloc(&c, len * sizeof(float)));
    check(cudaMemcpy(a, left.data(), len * sizeof(float), cudaMemcpyHostToDevice));
    check(cudaMemcpy(b, right.data(), len * sizeof(float), cudaMemcpyHostToDevice));

    cudaEvent_t start, end;
    check(cudaEventCreate(&start));
    check(cudaEventCreate(&end));
    float least = 1e30f;
    // One launch more, which is not timed, loads the kernel.
    for (int launch = 0; launch <= LAUNCHES; ++launch) {
        check(cudaEventRecord(start));
        matmul_registers<<<dim3(SIZE / TILE, SIZE / TILE), dim3(SIDE, SIDE)>>>(a, b, c, SIZE, SIZE);
        check(cudaGetLastError());
        check(cudaEventRecord(end));
        check(cudaEventSynchronize(end));
        float milliseconds;
        check(cudaEventElapsedTime(&milliseconds, start, end));
        if (launch > 0 && milliseconds < least) least = milliseconds;
    }

    check(cudaMemcpy(product.data(), c, len * sizeof(float), cudaMemcpyDeviceToHost));
    // The numbers are small integers, so the sums are exact.
    for (size_t i = 0; i < len; i += 65537) {
        double sum = 0;
        for (size_t j = 0; j < SIZE; ++j) sum += double(left[i / SIZE * SIZE + j]) * right[j * SIZE + i % SIZE];
        if (sum != product[i]) {
            std::fprintf(stderr, "element %zu is %g instead of %g\n", i, product[i], sum);
            return 1;
        }
    }
    double operations = 2.0 * SIZE * SIZE * SIZE;
    std::printf("matmul_registers       %8.3f ms %8.2f TFLOP/s\n", least, operations / least * 1e-9);
}
