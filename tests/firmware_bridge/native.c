/* Parts of the firmware on this machine, for the tests: its frame parser, and its roller's chance.

       native frames             N and a line end, then N bytes  -> a line for each whole frame, then "."
       native throws N SEED MS   N throws of two dice as the firmware makes them, MS milliseconds apart with noisy samples
                                 -> their faces, one character each */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../firmware_bridge/firmware/chance.h"
#include "../../firmware_bridge/firmware/frame.h"

static void frames(void) {
    static frame_reader reader;
    char line[32];
    while (fgets(line, sizeof line, stdin)) {
        for (long n = atol(line); n > 0; n--)
            if (frame_feed(&reader, (uint8_t)getchar())) puts(reader.body);
        puts(".");
        fflush(stdout);
    }
}

/* What stands in for the ADC and for timer 1: a generator that the roller knows nothing of. The ADC's lowest bits alone
   are noisy, and the timer's phase against the millisecond never changes. */
static uint64_t state;
static uint32_t noise(void) {
    state += 0x9E3779B97F4A7C15ULL;
    uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

static void throws(long n, long milliseconds) {
    chance pool = {.pool = 1};
    uint16_t timer = 0;
    while (n--) {
        for (long i = 0; i < milliseconds; i++) {
            timer += 16000;
            chance_stir(&pool, timer);
            chance_stir(&pool, (uint16_t)(512 + noise() % 4));
        }
        putchar('0' + chance_face(&pool));
        putchar('0' + chance_face(&pool));
    }
}

int main(int argc, char **argv) {
    if (argc == 2 && !strcmp(argv[1], "frames")) frames();
    else if (argc == 5) {
        state = strtoull(argv[3], NULL, 10);
        throws(atol(argv[2]), atol(argv[4]));
    } else return 2;
    return 0;
}
