#include "link.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "frame.h"

#define SIZE 128 /* of each ring: a power of two, longer than a frame */

static volatile uint8_t in[SIZE], in_head, in_tail, out[SIZE], out_head, out_tail;
static volatile uint16_t lost;
static char body[MAX_BODY];
static uint8_t length;

ISR(USART_RX_vect) {
    uint8_t overrun = UCSR0A & _BV(DOR0), byte = UDR0, next = (in_head + 1) & (SIZE - 1);
    if (overrun) lost++;
    if (next == in_tail) {
        lost++;
        return;
    }
    in[in_head] = byte;
    in_head = next;
}

ISR(USART_UDRE_vect) {
    if (out_head == out_tail) {
        UCSR0B &= ~_BV(UDRIE0);
        return;
    }
    UDR0 = out[out_tail];
    out_tail = (out_tail + 1) & (SIZE - 1);
}

void link_start(void) {
    UCSR0A = _BV(U2X0);
    UBRR0 = (F_CPU + 4 * BAUD) / (8 * BAUD) - 1;
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
}

int16_t link_read(void) {
    if (in_tail == in_head) return -1;
    uint8_t byte = in[in_tail];
    in_tail = (in_tail + 1) & (SIZE - 1);
    return byte;
}

uint16_t link_lost(void) { return lost; }

static void put(char c) {
    uint8_t next = (out_head + 1) & (SIZE - 1);
    while (next == out_tail) sleep_mode(); /* the line empties it within 11 ms */
    out[out_head] = (uint8_t)c;
    out_head = next;
    UCSR0B |= _BV(UDRIE0);
}

static char hex_digit(uint8_t value) { return (char)(value < 10 ? '0' + value : 'A' + value - 10); }

void frame_begin(uint8_t sequence, char type) {
    length = 0;
    frame_hex(sequence);
    frame_char(type);
}

void frame_char(char c) {
    if (length < MAX_BODY) body[length++] = c;
}

void frame_text(const char *text) {
    while (*text) frame_char(*text++);
}

void frame_text_P(PGM_P text) {
    for (char c; (c = (char)pgm_read_byte(text)); text++) frame_char(c);
}

void frame_hex(uint8_t value) {
    frame_char(hex_digit(value >> 4));
    frame_char(hex_digit(value & 15));
}

void frame_number(uint32_t value) {
    char digits[10];
    uint8_t n = 0;
    do digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n) frame_char(digits[--n]);
}

void frame_end(void) {
    uint16_t crc = 0xFFFF;
    put('$');
    for (uint8_t i = 0; i < length; i++) {
        crc = crc16(crc, (uint8_t)body[i]);
        put(body[i]);
    }
    put('*');
    for (int8_t shift = 12; shift >= 0; shift -= 4) put(hex_digit((crc >> shift) & 15));
    put('\n');
}
