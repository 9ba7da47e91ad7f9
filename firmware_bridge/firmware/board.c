/* The watchdog does not reset the chip: after such a reset the Nano's old bootloader never comes back, as it leaves the
   watchdog running. It interrupts, and the firmware starts from its first instruction, under either bootloader. So it
   needs interrupts: they are off for the lights' signal and for a few instructions elsewhere, none of which can wait. */
#include "board.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>

#define WATCHDOG 0xA5C3 /* two bytes: RAM holds anything after power comes */
#define ASKED 0x5A3C

static uint16_t mark __attribute__((section(".noinit")));
static uint8_t from_bootloader __attribute__((section(".noinit")));

/* Before anything else: Optiboot clears MCUSR and leaves what it was in register 2. */
void early(void) __attribute__((naked, used, section(".init0")));
void early(void) { __asm__ volatile("sts from_bootloader, r2"); }

static uint8_t cause __attribute__((section(".noinit"))); /* set before other variables are cleared */

void watchdog_off(void) __attribute__((naked, used, section(".init3")));
void watchdog_off(void) {
    cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

static void again(uint16_t why) __attribute__((noreturn));
static void again(uint16_t why) {
    cli();
    mark = why;
    wdt_disable();
    __asm__ volatile("jmp 0");
    __builtin_unreachable();
}

ISR(WDT_vect) { again(WATCHDOG); }

uint8_t board_reset_cause(void) {
    static uint8_t known, value;
    if (!known) {
        known = 1;
        value = mark == WATCHDOG ? 16 : mark == ASKED ? 32 : cause ? cause : from_bootloader & 15;
        mark = 0;
    }
    return value;
}

void watchdog_start(void) {
    cli();
    wdt_reset();
    WDTCSR = _BV(WDCE) | _BV(WDE);
    WDTCSR = _BV(WDIE) | _BV(WDE) | _BV(WDP2) | _BV(WDP0); /* MS_WATCHDOG */
    sei();
}

void board_reset(void) { again(ASKED); }
