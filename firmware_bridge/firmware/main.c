/* The board: lights, buttons and dice at one end, the host at the other. One loop; interrupts only move bytes and count
   milliseconds. */
#include <avr/interrupt.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "board.h"
#include "buttons.h"
#include "clock.h"
#include "commands.h"
#include "events.h"
#include "leds.h"
#include "link.h"
#include "modules.h"
#include "roller.h"
#include "settings.h"

static frame_reader reader;

static void tell_start(void) {
    frame_begin(0, 'z');
    frame_number(board_reset_cause());
    frame_char(',');
    frame_number(clock_ms());
    frame_end();
}

int main(void) {
    uint8_t remembered = settings_load();
    events_start();
    clock_start();
    link_start();
    buttons_start();
    roller_start();
    modules_start();
    leds_start();
    watchdog_start();
    set_sleep_mode(SLEEP_MODE_IDLE);
    tell_start();
    if (!remembered) {
        settings_save();
        event_raise('w', "settings-lost");
    }
    for (uint32_t last = 0;;) {
        for (int16_t byte; (byte = link_read()) >= 0;)
            if (frame_feed(&reader, (uint8_t)byte)) command(&reader, clock_ms());
        uint32_t now = clock_ms();
        if (now != last) {
            last = now;
            wdt_reset();
            WDTCSR |= _BV(WDIE); /* it clears itself whenever it has bitten */
            buttons_tick(now);
            roller_tick(now);
            modules_tick(now);
            host_tick(now);
            events_tick(now);
        }
        sleep_mode(); /* the next byte or millisecond wakes it */
    }
}
