// Firmware of a small drone, in Rust.

import type { Story } from './story.ts'
import { bash, edit, read, say, think, turn, write } from './story.ts'

const project = '/home/ada/kestrel'

export const kestrel: readonly Story[] = [
  {
    name: 'watchdog',
    project,
    at: '2026-02-10T18:00:00Z',
    gitBranch: 'debug/watchdog',
    turns: [
      turn(
        'The watchdog resets the flight controller every eight seconds as soon as the barometer is plugged in.',
        read('/home/ada/kestrel/src/drivers/baro.rs', 'loop {\n    if self.i2c.is_ready() { break }\n}'),
        say(
          'The driver spins in a loop until the I2C bus is ready. When the barometer holds SDA low the loop never ends, the main task does not feed the watchdog, and after eight seconds the IWDG pulls the reset line.',
        ),
      ),
      turn(
        'Put a limit on that loop and recover the bus.',
        edit('/home/ada/kestrel/src/drivers/baro.rs', 'loop {', 'for _ in 0..BUS_SPINS_MAX {'),
        say(
          'After BUS_SPINS_MAX tries the driver clocks SCL nine times, as the I2C specification wants it, and returns Error::BusStuck. The watchdog stays quiet.',
        ),
      ),
    ],
  },
  {
    name: 'watchdog-continued',
    project,
    at: '2026-02-12T18:00:00Z',
    copies: { of: 'watchdog', turns: 2, as: 'continuation' },
    turns: [
      turn(
        'Now the magnetometer does the same thing, once in an hour.',
        say(
          'It shares the bus with the barometer. Its driver still waits for ever, so the same limit belongs there; I moved the recovery into bus.rs so that both use it.',
        ),
      ),
    ],
  },
  {
    name: 'ring-buffer',
    project,
    at: '2026-03-22T20:15:00Z',
    turns: [
      turn(
        "thread 'main' panicked at 'index out of bounds: the len is 16 but the index is 16', src/telemetry/ring.rs:88:21\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace",
        read(
          '/home/ada/kestrel/src/telemetry/ring.rs',
          'pub fn push(&mut self, sample: Sample) {\n    self.head += 1;\n    self.slots[self.head] = sample;\n    self.head %= N;\n}',
        ),
        say(
          'push() advances the head before it wraps around, so it writes to slots[16] once a lap. Wrap first: self.head = (self.head + 1) % N.',
        ),
      ),
    ],
  },
  {
    name: 'borrow-queue',
    project,
    at: '2026-04-02T21:00:00Z',
    turns: [
      turn(
        'error[E0502]: cannot borrow `self.queue` as mutable because it is also borrowed as immutable\n  --> src/radio/uplink.rs:57:13\nI do not see why.',
        say(
          'for frame in self.queue.iter() keeps the queue borrowed for the whole loop, and self.queue.pop_front() inside wants it mutably. Drain what is due into a small array first, or use while let Some(frame) = self.queue.front().',
        ),
      ),
    ],
  },
  {
    name: 'altitude-drift',
    project,
    at: '2026-05-05T17:30:00Z',
    title: 'Altitude drifts on the bench',
    turns: [
      turn(
        'On the bench the altitude climbs by two metres in ten minutes although nothing moves. Is the Kalman filter to blame?',
        bash(
          'cargo run --example replay logs/bench-0505.bin | tail -n 3',
          't=598 baro=41.2 imu=43.1 fused=43.0\nt=599 baro=41.2 imu=43.2 fused=43.1\nt=600 baro=41.2 imu=43.2 fused=43.1',
        ),
        think(
          'The barometer is steady at 41.2 and the fused value follows the integrated accelerometer. So the process noise is too small compared with the measurement noise, or the bias of the accelerometer is not a state.',
        ),
        say(
          'The barometer is steady, the accelerometer has a small bias, and the filter trusts it too much. Add the bias as a third state; then ten minutes on the bench drift by four centimetres.',
        ),
      ),
    ],
  },
  {
    name: 'flash-overflow',
    project,
    at: '2026-06-18T19:45:00Z',
    turns: [
      turn(
        "The release does not link any more:\nrust-lld: error: section '.text' will not fit in region 'FLASH': overflowed by 1284 bytes",
        bash(
          'cargo bloat --release -n 5',
          ' 9.1%  14.2KiB core::fmt::float\n 6.0%   9.4KiB core::fmt::Formatter::pad\n 4.4%   6.9KiB kestrel::nav::route',
          false,
        ),
        say(
          'Formatting of floats alone costs 14 KiB. Print altitudes as integers in centimetres, and set opt-level = "z" with lto = "fat" for the release profile. That leaves 21 KiB free.',
        ),
      ),
    ],
  },
  {
    name: 'postcard',
    project,
    at: '2026-07-07T18:20:00Z',
    title: 'Telemetry format: protobuf or postcard',
    turns: [
      turn(
        'Protobuf or postcard for the telemetry frames? The radio gives us 57 bytes per packet.',
        say(
          'postcard needs 31 bytes for a full frame, protobuf 44, mostly for field numbers. postcard has no versioning of its own, so put a format byte in front. I would take postcard.',
        ),
      ),
    ],
  },
  {
    name: 'crc-mismatch',
    project,
    at: '2026-08-08T22:10:00Z',
    turns: [
      turn(
        'The ground station drops every frame, checksum mismatch. Both sides use CRC16_CCITT.',
        write(
          '/home/ada/kestrel/examples/crc_check.rs',
          'fn main() { println!("{:04x}", crc16::<Ccitt>(b"123456789")) }',
        ),
        bash('cargo run --example crc_check', '29b1'),
        say(
          'Same polynomial, other start value: the firmware begins with 0xffff (29b1 for the test string), the ground station with 0x0000 (31c3, which is XMODEM). Set CRC_INIT to 0xffff in ground/link.py.',
        ),
      ),
    ],
  },
  {
    name: 'dma-alignment',
    project,
    at: '2026-09-26T20:00:00Z',
    turns: [
      turn(
        'Every now and then an SPI transfer returns garbage in the last three bytes. Only in release builds.',
        say(
          'The receive buffer is on the stack and not aligned to a cache line. The DMA writes into memory, the CPU still has the old line. Align it to 32 bytes and invalidate the cache after the transfer; in debug builds the cache is off.',
        ),
      ),
      turn(
        'Is there a lint for that?',
        say('No lint. I made DmaBuffer<N> with #[repr(align(32))] the only type that Spi::transfer() takes.'),
      ),
    ],
  },
  {
    name: 'bisect',
    project,
    at: '2026-10-15T19:00:00Z',
    turns: [
      turn(
        'The radio range is half of what it was in August. Bisect it, the script measures the link budget.',
        bash(
          'git bisect run scripts/range.sh',
          '4be1c07d93f2a6d5e8b1c4f7a0d3e6b9c2f5a8d1 is the first bad commit\n    Lower the transmit power while charging\n bisect found first bad commit',
        ),
        bash(
          'docker pull ghcr.io/kestrel/toolchain:9',
          'Digest: sha256:7d865e959b2466918c9863afca942d0fb89d7c9ac0c99bafc3749504ded97730\nStatus: Downloaded newer image',
        ),
        say(
          'The flag for charging is never cleared, so the transmit power stays low for ever. It came in with the change that lowers it while charging.',
        ),
      ),
    ],
  },
]
