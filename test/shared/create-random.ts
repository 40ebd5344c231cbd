/** Numbers from 0 to 1 that look random, the same in each run: https://en.wikipedia.org/wiki/Linear_congruential_generator */
export function createRandom(seed: number) {
  let state = seed
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32
}
