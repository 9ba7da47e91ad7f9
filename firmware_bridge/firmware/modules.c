#include "modules.h"

#include <avr/io.h>
#include <string.h>

#include "protocol.h"
#include "roller.h"

#define SIZE 4
#define STUCK 20 /* ms in which a reading is done, unless the bus hangs */
#define FIRST_DIE 2

/* Of the bus, as the chip says them. */
enum { STARTED = 0x08, ANSWERS = 0x40, BYTE = 0x50, LAST_BYTE = 0x58 };

static struct {
    uint8_t told[2], before[2]; /* state and face: as told to the host, as last read */
    uint32_t good;
} all[N_MODULES];

static uint8_t asked, busy, count, bytes[SIZE];
static uint32_t since;

void modules_start(void) {
    PORTC |= _BV(PC4) | _BV(PC5); /* a bus that nothing is connected to rests high */
    TWSR = 0;
    TWBR = (F_CPU / N_MODULE_HERTZ - 16) / 2;
}

static uint8_t is_reading(void) {
    return (uint8_t)(bytes[0] + bytes[1] + bytes[2] + bytes[3]) == 0xFF && memchr("RSTM", bytes[0], 4) && bytes[1] <= 6 &&
           bytes[2] <= 9 && (bytes[1] || bytes[0] != 'S');
}

static void heard(uint32_t now) {
    if (!is_reading()) return;
    all[asked].good = now;
    uint8_t same = !memcmp(bytes, all[asked].before, 2);
    memcpy(all[asked].before, bytes, 2);
    if (!same || !memcmp(bytes, all[asked].told, 2)) return;
    memcpy(all[asked].told, bytes, 2);
    die_tell(FIRST_DIE + asked, (char)bytes[0], bytes[1], bytes[2], now);
}

static void done(uint32_t now) {
    TWCR = busy ? _BV(TWINT) | _BV(TWSTO) | _BV(TWEN) : 0;
    busy = 0;
    since = now;
    if (all[asked].told[0] && all[asked].told[0] != 'M' && now - all[asked].good >= MS_MODULE_SILENT) {
        memset(&all[asked], 0, sizeof all[asked]);
        all[asked].told[0] = 'M';
        die_tell(FIRST_DIE + asked, 'M', 0, 0, now);
    }
    asked = (uint8_t)(asked + 1) % N_MODULES;
}

void modules_tick(uint32_t now) {
    if (!busy) {
        if (now - since < MS_MODULE) return;
        busy = 1;
        since = now;
        TWCR = _BV(TWINT) | _BV(TWSTA) | _BV(TWEN);
        return;
    }
    if (!(TWCR & _BV(TWINT))) {
        if (now - since >= STUCK) {
            busy = 0; /* no stop: the bus is let go of */
            done(now);
        }
        return;
    }
    switch (TWSR & 0xF8) {
    case STARTED:
        TWDR = (uint8_t)((N_MODULE_ADDRESS + asked) << 1 | 1);
        TWCR = _BV(TWINT) | _BV(TWEN);
        return;
    case ANSWERS:
        count = 0;
        TWCR = _BV(TWINT) | _BV(TWEN) | _BV(TWEA);
        return;
    case BYTE:
        bytes[count++] = TWDR;
        TWCR = _BV(TWINT) | _BV(TWEN) | (count < SIZE - 1 ? _BV(TWEA) : 0);
        return;
    case LAST_BYTE:
        bytes[count] = TWDR;
        if (count == SIZE - 1) heard(now);
    }
    done(now);
}
