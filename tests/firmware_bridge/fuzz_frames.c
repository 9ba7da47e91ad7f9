/* The firmware's parser under a fuzzer: whatever it takes for a frame must stand in the bytes just read, to the letter.

   With clang and libFuzzer (how fuzz_corpus was made, ten minutes):
       clang -O1 -g -fsanitize=fuzzer,address,undefined -I firmware_bridge/firmware \
           tests/firmware_bridge/fuzz_frames.c firmware_bridge/firmware/frame.c -o fuzz
       ./fuzz -max_total_time=600 -max_len=300 tests/firmware_bridge/fuzz_corpus
   With any compiler and -DALONE: fuzz SECONDS FILE... reads each file, then mutations of them, and says how many. */
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
    static unsigned char files[4096][512];
    static size_t sizes[4096];
    unsigned kept = 0;
    unsigned long runs = 0;
    for (int i = 2; i < argc && kept < 4096; i++, kept++) {
        FILE *file = fopen(argv[i], "rb");
        if (!file) return perror(argv[i]), 2;
        sizes[kept] = fread(files[kept], 1, sizeof files[kept], file);
        fclose(file);
        LLVMFuzzerTestOneInput(files[kept], sizes[kept]);
    }
    if (!kept) return 2;
    for (time_t end = time(NULL) + atoi(argv[1]); time(NULL) < end; runs++) {
        unsigned char bytes[1024];
        unsigned one = chance(kept), two = chance(kept);
        size_t head = chance((unsigned)sizes[one] + 1), tail = chance((unsigned)sizes[two] + 1);
        memcpy(bytes, files[one], head);
        memcpy(bytes + head, files[two] + sizes[two] - tail, tail);
        size_t n = head + tail;
        for (unsigned changes = chance(4); n && changes; changes--)
            bytes[chance((unsigned)n)] = (unsigned char)(chance(2) ? letters[chance(sizeof letters - 1)] : (char)chance(256));
        LLVMFuzzerTestOneInput(bytes, n);
    }
    printf("%u files, %lu mutations\n", kept, runs);
    return 0;
}
#endif
