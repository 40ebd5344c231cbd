const SAMPLES_PER_SECOND = 16_000
const SECONDS = 4
const HEADER_BYTES = 44

/**
 * Synthesizes the call of a nightjar as a WAV file: 40 beats a second at 1,900 Hz, and lower during the third second, as when the
 * bird turns its head.
 *
 * @see  http://soundfile.sapp.org/doc/WaveFormat/
 */
export function createBirdCall(): Buffer {
  const sampleCount = SAMPLES_PER_SECOND * SECONDS
  const file = Buffer.alloc(HEADER_BYTES + sampleCount * 2)
  file.write('RIFF', 0)
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(SAMPLES_PER_SECOND, 24)
  file.writeUInt32LE(SAMPLES_PER_SECOND * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(sampleCount * 2, 40)
  for (let index = 0; index < sampleCount; index++) file.writeInt16LE(sampleAt(index), HEADER_BYTES + index * 2)
  return file
}

function sampleAt(index: number): number {
  const second = index / SAMPLES_PER_SECOND
  const frequency = second > 2 && second < 3 ? 1_650 : 1_900
  const beat = Math.max(0, Math.sin(2 * Math.PI * 40 * second)) ** 2
  const fade = Math.min(1, second * 4, (SECONDS - second) * 4)
  return Math.round(9_000 * fade * beat * Math.sin(2 * Math.PI * frequency * second))
}
