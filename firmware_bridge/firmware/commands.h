/* What the host commands, and the answers. */
#ifndef COMMANDS_H
#define COMMANDS_H

#include <stdint.h>

#include "frame.h"

void command(const frame_reader *frame, uint32_t now);
/* Darkens the lights when the host has been silent for too long. */
void host_tick(uint32_t now);

#endif
