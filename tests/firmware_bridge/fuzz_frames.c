/* The firmware's parser under a fuzzer: whatever it takes for a frame must stand in the bytes just read, to the letter.

   With clang and libFuzzer, as tests/data/fuzz_frames.hex was made (ten minutes, 85 million inputs, merged; an input a
   line):
       clang -O1 -g -fsanitize=fuzzer,address,undefined -I firmware_bridge/firmware \
           tests/firmware_bridge/fuzz_frames.c firmware_bridge/firmware/frame.c -o fuzz
       ./fuzz -max_total_time=600 -max_len=300 FOLDER
   With any compiler and -DALONE: fuzz SECONDS FILE.hex takes each line, then mutations of them, and says how many. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "frame.h"

static unsigned sum(const char *bytes, size_t n) {
    unsigned crc = 0xFFFF;
    while (n--) {
        unsigned x = (crc >> 8 ^ (unsigned char)*bytes++) & 0xFF;
        x ^= x >> 4;
        crc = (crc << 8 ^ x << 12 ^ x << 5 ^ x) & 0xFFFF;
    }
    return crc;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t n) {
    frame_reader reader;
    memset(&reader, 0, sizeof reader);
    char read[4096];
    size_t have = 0;
    for (size_t i = 0; i < n && have < sizeof read; i++) {
        if (data[i] != '\r') read[have++] = (char)data[i];
        if (!frame_feed(&reader, data[i])) continue;
        char whole[MAX_BODY + 16];
        int length = snprintf(whole, sizeof whole, "$%s*%04X\n", reader.body, sum(reader.body, reader.length));
        if (strlen(reader.body) != reader.length || have < (size_t)length ||
            memcmp(read + have - length, whole, (size_t)length))
            abort();
    }
    return 0;
}

#ifdef ALONE
static unsigned state = 1;
static unsigned chance(unsigned below) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

int main(int argc, char **argv) {
    static const char letters[] = "$*\n\r0123456789ABCDEFQLPGSDIKRabdw,";
    static unsigned char kept[1024][512];
    static size_t sizes[1024];
    static char line[1100];
    unsigned n_kept = 0;
    unsigned long runs = 0;
    FILE *file = argc == 3 ? fopen(argv[2], "r") : NULL;
    while (file && n_kept < 1024 && fgets(line, sizeof line, file)) {
        unsigned byte;
        for (const char *at = line; sscanf(at, "%2x", &byte) == 1; at += 2)
            kept[n_kept][sizes[n_kept]++] = (unsigned char)byte;
        LLVMFuzzerTestOneInput(kept[n_kept], sizes[n_kept]);
        n_kept++;
    }
    if (!n_kept) return 2;
    for (time_t end = time(NULL) + atoi(argv[1]); time(NULL) < end; runs++) {
        unsigned char bytes[1024];
        unsigned one = chance(n_kept), two = chance(n_kept);
        size_t head = chance((unsigned)sizes[one] + 1), tail = chance((unsigned)sizes[two] + 1);
        memcpy(bytes, kept[one], head);
        memcpy(bytes + head, kept[two] + sizes[two] - tail, tail);
        size_t n = head + tail;
        for (unsigned changes = chance(4); n && changes; changes--)
            bytes[chance((unsigned)n)] = (unsigned char)(chance(2) ? letters[chance(sizeof letters - 1)] : (char)chance(256));
        LLVMFuzzerTestOneInput(bytes, n);
    }
    printf("%u inputs, %lu mutations\n", n_kept, runs);
    return 0;
}
#endif
