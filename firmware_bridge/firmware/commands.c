#include "commands.h"

#include <string.h>

#include "board.h"
#include "buttons.h"
#include "clock.h"
#include "events.h"
#include "leds.h"
#include "link.h"
#include "roller.h"
#include "settings.h"

static uint8_t last_sequence, last_done, have_last, heard, silent;
static uint32_t heard_at;

static void comma(void) { frame_char(','); }

static void identity(uint8_t sequence, uint32_t now) {
    frame_begin(sequence, 'q');
    frame_text_P(PSTR("nardy-board," FIRMWARE ","));
    frame_number(PROTOCOL);
    comma();
    frame_number(N_LIGHTS);
    frame_text_P(PSTR(",m328p,"));
    frame_number(board_reset_cause());
    comma();
    frame_number(now);
    comma();
    frame_text(board_settings.id);
    frame_end();
}

static void state(uint8_t sequence) {
    frame_begin(sequence, 'g');
    for (uint8_t i = 0; i < N_LIGHTS; i++) frame_char(leds_digit(i));
    comma();
    frame_number(buttons_pressed());
    comma();
    frame_number(board_settings.brightness);
    comma();
    frame_number(events_waiting());
    comma();
    frame_char(roller_armed() == NOBODY ? '-' : (char)('0' + roller_armed()));
    frame_end();
}

static void statistics(uint8_t sequence, const frame_reader *frame, uint32_t now) {
    frame_begin(sequence, 's');
    frame_number(now);
    comma();
    frame_number(link_lost());
    comma();
    frame_number(frame->wrong_sum);
    comma();
    frame_number(frame->outside);
    comma();
    frame_number(frame->too_long);
    comma();
    frame_number(leds_current());
    comma();
    frame_number(events_lost());
    frame_end();
}

static uint8_t name_board(const char *id, uint8_t length) {
    if (length == 0 || length > N_BOARD_ID) return 0;
    for (uint8_t i = 0; i < length; i++) {
        char c = id[i], lower = (char)(c | 0x20);
        if (!(lower >= 'a' && lower <= 'z') && !(c >= '0' && c <= '9') && c != '-' && c != '_') return 0;
    }
    memset(board_settings.id, 0, sizeof board_settings.id);
    memcpy(board_settings.id, id, length);
    settings_save();
    return 1;
}

static uint8_t dice(const char *what, uint8_t length, uint32_t now) {
    if (length == 2 && what[0] == 'A' && what[1] >= '0' && what[1] < '0' + N_BUTTONS)
        roller_arm((uint8_t)(what[1] - '0'));
    else if (length == 1 && what[0] == 'O')
        roller_arm(NOBODY);
    else if (length == 1 && what[0] == 'R')
        roller_roll(now);
    else
        return 0;
    return 1;
}

static uint8_t brightness(const char *digit, uint8_t length) {
    if (length != 1 || digit[0] < '0' || digit[0] > '0' + N_BRIGHTNESS) return 0;
    board_settings.brightness = (uint8_t)(digit[0] - '0');
    settings_save();
    leds_refresh();
    return 1;
}

/* 1: done. 0: what came with the letter is wrong. */
static uint8_t obey(char type, const char *payload, uint8_t length, uint32_t now) {
    switch (type) {
    case 'L': return length == N_LIGHTS && leds_show(payload);
    case 'B': return brightness(payload, length);
    case 'D': return dice(payload, length, now);
    case 'I': return name_board(payload, length);
    case 'P':
    case 'R': return length == 0;
    default: return 0;
    }
}

void command(const frame_reader *frame, uint32_t now) {
    const char *body = frame->body, *payload = body + 3;
    uint8_t length = frame->length - 3, sequence = (uint8_t)(hex_value(body[0]) << 4 | hex_value(body[1]));
    char type = body[2];
    heard = 1;
    heard_at = now;
    silent = 0;
    switch (type) {
    case 'K':
        if (length == 2 && hex_value(payload[0]) >= 0 && hex_value(payload[1]) >= 0)
            event_acknowledge((uint8_t)(hex_value(payload[0]) << 4 | hex_value(payload[1])));
        return;
    case 'Q':
        have_last = 0;
        identity(sequence, now);
        return;
    case 'G': state(sequence); return;
    case 'S': statistics(sequence, frame, now); return;
    }
    uint8_t again = have_last && sequence == last_sequence;
    if (!again) last_done = obey(type, payload, length, now);
    have_last = 1;
    last_sequence = sequence;
    frame_begin(sequence, last_done ? 'a' : 'n');
    if (!last_done) frame_text_P(PSTR("what came with it is wrong"));
    else if (again) frame_text_P(PSTR(",again"));
    frame_end();
    if (type == 'R' && last_done) {
        uint32_t sent = clock_ms() + 5; /* the answer is on its way first */
        while ((int32_t)(clock_ms() - sent) < 0) {}
        board_reset();
    }
}

void host_tick(uint32_t now) {
    if (!heard || silent || now - heard_at < MS_SILENCE) return;
    silent = 1;
    leds_dark();
    event_raise('w', "host-silent");
}
