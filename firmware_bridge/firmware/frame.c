#include "frame.h"

enum { OUTSIDE, BODY, SUM, END };

uint16_t crc16(uint16_t crc, uint8_t byte) {
    crc ^= (uint16_t)byte << 8;
    for (uint8_t bit = 0; bit < 8; bit++)
        crc = crc & 0x8000 ? (uint16_t)(crc << 1) ^ 0x1021 : (uint16_t)(crc << 1);
    return crc;
}

int8_t hex_value(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

static uint8_t drop(frame_reader *reader, uint16_t *count) {
    reader->state = OUTSIDE;
    if (*count < 0xFFFF) ++*count;
    return 0;
}

static uint8_t is_body(const char *body, uint8_t length, uint16_t sum) {
    uint16_t crc = 0xFFFF;
    for (uint8_t i = 0; i < length; i++) crc = crc16(crc, (uint8_t)body[i]);
    char type = body[2];
    return crc == sum && length >= 3 && hex_value(body[0]) >= 0 && hex_value(body[1]) >= 0 &&
           ((type >= 'A' && type <= 'Z') || (type >= 'a' && type <= 'z'));
}

uint8_t frame_feed(frame_reader *reader, uint8_t byte) {
    if (byte == '$') {
        if (reader->state != OUTSIDE) drop(reader, &reader->wrong_sum);
        reader->state = BODY;
        reader->length = 0;
        return 0;
    }
    if (byte == '\r') return 0;
    switch (reader->state) {
    case OUTSIDE:
        return byte == '\n' ? 0 : drop(reader, &reader->outside);
    case BODY:
        if (byte == '*') {
            reader->state = SUM;
            reader->digits = 0;
            reader->sum = 0;
            return 0;
        }
        if (byte < ' ' || byte > '~') return drop(reader, &reader->wrong_sum);
        if (reader->length == MAX_BODY) return drop(reader, &reader->too_long);
        reader->body[reader->length++] = (char)byte;
        return 0;
    case SUM: {
        int8_t value = hex_value((char)byte);
        if (value < 0) return drop(reader, &reader->wrong_sum);
        reader->sum = (uint16_t)(reader->sum << 4) | (uint8_t)value;
        if (++reader->digits == 4) reader->state = END;
        return 0;
    }
    default:
        if (byte != '\n' || !is_body(reader->body, reader->length, reader->sum))
            return drop(reader, &reader->wrong_sum);
        reader->state = OUTSIDE;
        reader->body[reader->length] = 0;
        return 1;
    }
}
