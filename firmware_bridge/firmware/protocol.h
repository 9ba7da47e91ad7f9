/* Made from protocol.toml by `python -m firmware_bridge.protocol`: change it there. */
#ifndef PROTOCOL_H
#define PROTOCOL_H
#define PROTOCOL 1
#define BAUD 115200UL
#define MAX_BODY 96
#define MS_ACK 60
#define MS_HEARTBEAT 500
#define MS_SILENCE 2000
#define MS_RESEND 250
#define MS_DEBOUNCE 10
#define MS_LONG_PRESS 800
#define MS_ROLL 400
#define MS_WATCHDOG 500
#define MS_MODULE 15
#define MS_MODULE_SILENT 300
#define N_TRIES 5
#define N_LIGHTS 28
#define N_BUTTONS 2
#define N_RING 8
#define N_BOARD_ID 16
#define N_BRIGHTNESS 9
#define N_MODULES 2
#define N_MODULE_ADDRESS 48
#define N_MODULE_HERTZ 100000
#define MA_LIMIT 400
#define MA_CHANNEL 20
#define MA_IDLE 1
#define PALETTE_RGB \
    {0, 0, 0}, \
    {0, 160, 0}, \
    {160, 0, 0}, \
    {0, 0, 160}, \
    {120, 90, 0}, \
    {0, 110, 110}, \
    {110, 0, 110}, \
    {100, 100, 100}, \
    {0, 40, 0}, \
    {40, 0, 0}, \
    {0, 0, 40}, \
    {30, 22, 0}, \
    {0, 28, 28}, \
    {28, 0, 28}, \
    {25, 25, 25}, \
    {160, 50, 0}
#endif
