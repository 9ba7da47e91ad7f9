/* The board's firmware in a simulated ATmega328P (libsimavr), as a program of its own.

       board_sim BOARD.elf [--pty LINK]

   Commands come as lines on standard input, each is answered by one line. In lockstep (without --pty) time passes only in
   `run`; with a pty it passes as on the wall, and the serial line is the terminal that LINK points to.

       run US            lets so many microseconds pass            -> what the board has sent, in hex
       send HEX          bytes for the board's receiver            -> ok
       pin NAME 0|1      an outer level on a pin, such as D2       -> ok
       adc MILLIVOLTS    on A0                                      -> ok
       module N HEX|gone what dice module N answers on I2C          -> ok
       lights            the strip as it shines: green red blue    -> hex
       stat              microseconds, strip frames, bad pulses, shortest and longest 0 and 1 in ns, bytes lost, pc
       noise LOST FLIPPED DOUBLED SEED   of a million bytes, both ways  -> ok
       reset             as the DTR pulse of an opened port        -> ok
       hang              the program runs in a circle, interrupts go on    -> ok
       boot HEX          a bootloader, from now on started by `reset`  -> its address
       wipe              empties the flash but for a bootloader     -> ok
       unplug, plug      the cable (pty only)                      -> ok
       quit

   What libsimavr 1.6 leaves out is put right here: the receiver holds 3 bytes and loses the next, a byte takes 10 bits,
   resets drop its timers. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_twi.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_hex.h>
#include <simavr/sim_time.h>

#define MHZ 16
#define BYTE_CYCLES (MHZ * 1000000ULL * 10 / 115200)
#define RECEIVER 3
#define RING 65536
#define STRIP 1024
#define LATCH_US 50
#define HANG 0x6000 /* where no firmware reaches */

typedef struct {
    uint8_t bytes[RING];
    unsigned head, tail;
} ring;

static avr_t *avr;
static avr_uart_t *uart;
static ring to_board, from_board;
static unsigned long lost;
static uint32_t boot;

/* -- the line, and its faults */

static unsigned of_a_million[3];
static uint32_t noise = 1;

static unsigned chance(void) {
    noise ^= noise << 13;
    noise ^= noise >> 17;
    noise ^= noise << 5;
    return noise % 1000000;
}

static void put(ring *line, uint8_t byte) {
    if (of_a_million[0] && chance() < of_a_million[0]) return;
    if (of_a_million[1] && chance() < of_a_million[1]) byte ^= (uint8_t)(1 << chance() % 8);
    unsigned times = of_a_million[2] && chance() < of_a_million[2] ? 2 : 1;
    while (times--) line->bytes[line->head++ % RING] = byte;
}

static void sent(struct avr_irq_t *irq, uint32_t value, void *unused) {
    (void)irq, (void)unused;
    put(&from_board, (uint8_t)value);
}

static avr_cycle_count_t wire(avr_t *mcu, avr_cycle_count_t when, void *unused) {
    (void)unused;
    if (to_board.head != to_board.tail) {
        uint8_t byte = to_board.bytes[to_board.tail++ % RING];
        unsigned held = (uart->input.write - uart->input.read) & 63;
        if (held >= RECEIVER) {
            lost++;
            avr_regbit_setto(mcu, uart->dor, 1);
        } else {
            avr_raise_irq(avr_io_getirq(mcu, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT), byte);
        }
    }
    uint64_t own = uart->cycles_per_byte; /* 11 bits: never faster than it takes them */
    return when + (own > BYTE_CYCLES ? own : BYTE_CYCLES);
}

/* -- the strip */

static struct {
    uint64_t rise, fall;
    int level;
    unsigned bits, frames, bad, length;
    uint8_t coming[STRIP], shown[STRIP];
    unsigned shortest[2], longest[2]; /* ns */
} strip = {.shortest = {99999, 99999}};

static unsigned nanoseconds(uint64_t cycles) { return (unsigned)(cycles * 1000 / MHZ); }

static void latch(void) {
    if (!strip.bits) return;
    if (strip.bits % 24) strip.bad++;
    strip.length = strip.bits / 8;
    memcpy(strip.shown, strip.coming, strip.length);
    strip.frames++;
    strip.bits = 0;
}

static void on_strip(struct avr_irq_t *irq, uint32_t value, void *unused) {
    (void)irq, (void)unused;
    int level = value != 0;
    if (level == strip.level) return;
    strip.level = level;
    if (level) {
        if (nanoseconds(avr->cycle - strip.fall) > LATCH_US * 1000) latch();
        strip.rise = avr->cycle;
        return;
    }
    strip.fall = avr->cycle;
    unsigned high = nanoseconds(strip.fall - strip.rise);
    int bit = high > 500;
    if (high < 200 || high > 1000 || (high > 500 && high < 550)) {
        strip.bad++;
        return;
    }
    if (high < strip.shortest[bit]) strip.shortest[bit] = high;
    if (high > strip.longest[bit]) strip.longest[bit] = high;
    if (strip.bits < STRIP * 8) {
        uint8_t *byte = &strip.coming[strip.bits++ / 8];
        *byte = (uint8_t)(*byte << 1 | bit);
    }
}

/* -- dice modules */

#define MODULES 2
#define MODULE_ADDRESS 48

static struct {
    uint8_t bytes[8];
    unsigned length, next;
} modules[MODULES];
static int selected = -1;

static void on_bus(struct avr_irq_t *irq, uint32_t value, void *unused) {
    (void)irq, (void)unused;
    avr_twi_msg_irq_t said = {.u.v = value};
    avr_irq_t *answer = avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_INPUT);
    if (said.u.twi.msg & TWI_COND_STOP) selected = -1;
    if (said.u.twi.msg & TWI_COND_START) {
        int which = (said.u.twi.addr >> 1) - MODULE_ADDRESS;
        selected = which >= 0 && which < MODULES && modules[which].length ? which : -1;
        if (selected >= 0) {
            modules[selected].next = 0;
            avr_raise_irq(answer, avr_twi_irq_msg(TWI_COND_ACK, said.u.twi.addr, 1));
        }
    }
    if (selected >= 0 && said.u.twi.msg & TWI_COND_READ) {
        unsigned at = modules[selected].next++;
        uint8_t byte = at < modules[selected].length ? modules[selected].bytes[at] : 0xFF;
        avr_raise_irq(answer, avr_twi_irq_msg(TWI_COND_READ, said.u.twi.addr, byte));
    }
}

/* -- the chip */

static unsigned levels = 0xFF; /* of port D, from outside */

static void pin(char port, int number, int level) {
    if (port == 'D') levels = level ? levels | 1u << number : levels & ~(1u << number);
    static uint8_t mask[256], value[256];
    uint8_t *m = &mask[(uint8_t)port], *v = &value[(uint8_t)port];
    *m |= (uint8_t)(1 << number);
    *v = (uint8_t)(level ? *v | 1 << number : *v & ~(1 << number));
    avr_ioport_external_t outer = {.name = (unsigned)port, .mask = *m, .value = *v};
    avr_ioctl(avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &outer);
    avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ(port), number), (uint32_t)level);
}

static void quiet(avr_t *mcu, const int level, const char *format, va_list values) {
    (void)mcu;
    if (level <= LOG_ERROR) vfprintf(stderr, format, values);
}

static void no_sleep(avr_t *mcu, avr_cycle_count_t cycles) { (void)mcu, (void)cycles; }

static avr_io_t *part(const char *kind) {
    for (avr_io_t *io = avr->io_port; io; io = io->next)
        if (!strcmp(io->kind, kind)) return io;
    return NULL;
}

static int start(const char *elf) {
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    avr_global_logger_set(quiet);
    if (elf_read_firmware(elf, &firmware)) return 0;
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    firmware.frequency = MHZ * 1000000;
    avr_load_firmware(avr, &firmware);
    avr->frequency = MHZ * 1000000;
    avr->log = LOG_ERROR;
    avr->sleep = no_sleep;
    avr->vcc = avr->avcc = 5000;
    uart = (avr_uart_t *)part("uart");
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), sent, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 6), on_strip, NULL);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_TWI_GETIRQ(0), TWI_IRQ_OUTPUT), on_bus, NULL);
    pin('D', 2, 1);
    pin('D', 3, 1);
    return 1;
}

static int run(uint64_t microseconds) {
    uint64_t end = avr->cycle + microseconds * MHZ;
    if (!avr_cycle_timer_status(avr, wire, NULL)) avr_cycle_timer_register(avr, BYTE_CYCLES, wire, NULL);
    int state = cpu_Running;
    while (avr->cycle < end && state != cpu_Done && state != cpu_Crashed) state = avr_run(avr);
    if (!strip.level && nanoseconds(avr->cycle - strip.fall) > LATCH_US * 1000) latch();
    return state != cpu_Done && state != cpu_Crashed;
}

static void reset(void) {
    avr_reset(avr);
    avr->data[0x29] = (uint8_t)levels; /* PIND: it forgets the outer levels, and takes no news for those unchanged */
    avr->data[0x54] |= 2; /* MCUSR: the reset pin */
    if (boot) avr->pc = boot;
}

static uint32_t load_bootloader(const char *path) {
    uint32_t size = 0, base = 0;
    uint8_t *bytes = read_ihex_file(path, &size, &base);
    if (!bytes) return 0;
    memcpy(avr->flash + base, bytes, size);
    free(bytes);
    boot = base;
    avr->reset_pc = base;
    avr->codeend = avr->flashend;
    reset();
    return base;
}

/* -- the cable */

static int master = -1, slave = -1;
static const char *link_name;

static void plug(void) {
    char name[256];
    if (master >= 0 || !link_name || openpty(&master, &slave, name, NULL, NULL)) return;
    struct termios raw;
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    fcntl(master, F_SETFL, O_NONBLOCK);
    unlink(link_name);
    if (symlink(name, link_name)) perror(link_name);
}

static void unplug(void) {
    if (master < 0) return;
    close(master);
    close(slave);
    master = slave = -1;
    unlink(link_name);
    to_board.tail = to_board.head;
}

static void carry(void) {
    uint8_t bytes[512];
    if (master < 0) {
        from_board.tail = from_board.head;
        return;
    }
    for (ssize_t n; (n = read(master, bytes, sizeof bytes)) > 0;)
        for (ssize_t i = 0; i < n; i++) put(&to_board, bytes[i]);
    size_t n = 0;
    while (from_board.tail != from_board.head && n < sizeof bytes) bytes[n++] = from_board.bytes[from_board.tail++ % RING];
    if (n && write(master, bytes, n) < 0 && errno != EAGAIN) perror("pty");
}

/* -- commands */

static void hex(const uint8_t *bytes, unsigned n) {
    for (unsigned i = 0; i < n; i++) printf("%02x", bytes[i]);
    putchar('\n');
}

static int obey(char *line) {
    char port;
    int number, level;
    unsigned long n;
    char path[512];
    if (sscanf(line, "run %lu", &n) == 1) {
        if (!run(n)) return puts("crashed"), 1;
        while (from_board.tail != from_board.head) printf("%02x", from_board.bytes[from_board.tail++ % RING]);
        putchar('\n');
    } else if (!strncmp(line, "send ", 5)) {
        unsigned byte;
        for (const char *at = line + 5; sscanf(at, "%2x", &byte) == 1; at += 2) put(&to_board, (uint8_t)byte);
        puts("ok");
    } else if (sscanf(line, "pin %c%d %d", &port, &number, &level) == 3) {
        pin(port, number, level);
        puts("ok");
    } else if (sscanf(line, "adc %lu", &n) == 1) {
        avr_raise_irq(avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0), (uint32_t)n);
        puts("ok");
    } else if (sscanf(line, "module %d %19s", &number, path) == 2 && number >= 0 && number < MODULES) {
        modules[number].length = 0;
        unsigned byte;
        for (const char *at = path; modules[number].length < 8 && sscanf(at, "%2x", &byte) == 1; at += 2)
            modules[number].bytes[modules[number].length++] = (uint8_t)byte;
        puts("ok");
    } else if (!strcmp(line, "lights")) {
        hex(strip.shown, strip.length);
    } else if (!strcmp(line, "stat")) {
        printf("%llu %u %u %u %u %u %u %lu %u\n", (unsigned long long)(avr->cycle / MHZ), strip.frames, strip.bad,
               strip.shortest[0], strip.longest[0], strip.shortest[1], strip.longest[1], lost, (unsigned)avr->pc);
    } else if (sscanf(line, "noise %u %u %u %u", &of_a_million[0], &of_a_million[1], &of_a_million[2], &noise) == 4) {
        noise += !noise;
        puts("ok");
    } else if (!strcmp(line, "reset")) {
        reset();
        puts("ok");
    } else if (!strcmp(line, "hang")) {
        avr->flash[HANG] = 0xFF; /* rjmp to itself */
        avr->flash[HANG + 1] = 0xCF;
        avr->pc = HANG;
        avr->sreg[S_I] = 1;
        puts("ok");
    } else if (sscanf(line, "boot %511s", path) == 1) {
        printf("%u\n", load_bootloader(path));
    } else if (!strcmp(line, "wipe")) {
        memset(avr->flash, 0xFF, boot ? boot : avr->flashend + 1);
        puts("ok");
    } else if (!strcmp(line, "plug")) {
        plug();
        puts("ok");
    } else if (!strcmp(line, "unplug")) {
        unplug();
        puts("ok");
    } else if (!strcmp(line, "quit")) {
        return 0;
    } else {
        printf("what is %.40s?\n", line);
    }
    fflush(stdout);
    return 1;
}

static double wall(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int paced(void) {
    char line[2048];
    size_t have = 0;
    double begun = wall(), passed = 0;
    plug();
    puts("ready");
    fflush(stdout);
    for (;;) {
        if (!run(250)) return fputs("the firmware has crashed\n", stderr), 3;
        passed += 250e-6;
        carry();
        double ahead = passed - (wall() - begun);
        if (ahead < -0.2) begun = wall(), passed = 0; /* it was held up: go on from here */
        struct pollfd input = {.fd = 0, .events = POLLIN};
        int ready = poll(&input, 1, ahead > 1e-3 ? (int)(ahead * 1e3) : 0);
        if (ahead > 0 && ahead <= 1e-3 && !ready) usleep((useconds_t)(ahead * 1e6));
        if (!ready) continue;
        ssize_t n = read(0, line + have, sizeof line - 1 - have);
        if (n <= 0) return 0;
        have += (size_t)n;
        line[have] = 0;
        for (char *end; (end = strchr(line, '\n'));) {
            *end = 0;
            if (!obey(line)) return 0;
            have -= (size_t)(end + 1 - line);
            memmove(line, end + 1, have + 1);
        }
        if (have == sizeof line - 1) have = 0;
    }
}

int main(int argc, char **argv) {
    if (argc != 2 && !(argc == 4 && !strcmp(argv[2], "--pty"))) {
        fputs("board_sim BOARD.elf [--pty LINK]\n", stderr);
        return 2;
    }
    if (!start(argv[1])) {
        fprintf(stderr, "board_sim: %s is no firmware: run make in firmware_bridge/firmware\n", argv[1]);
        return 2;
    }
    if (argc == 4) {
        link_name = argv[3];
        int code = paced();
        unplug();
        return code;
    }
    static char line[2 * RING + 64];
    puts("ready");
    fflush(stdout);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (!obey(line)) break;
    }
    return 0;
}
