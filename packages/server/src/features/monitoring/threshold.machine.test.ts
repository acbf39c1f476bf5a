import { expect, test } from 'vitest'
import { calm, evaluateThreshold } from './threshold.machine.ts'

/** The changes that these figures make, at a threshold of 80. */
function changesOf(figures: readonly (number | null)[]): string[] {
  let state = calm
  return figures.flatMap((value, index) => {
    const step = evaluateThreshold(state, value, 80)
    state = step.state
    return step.change ? [`${index}: ${step.change}`] : []
  })
}

test.each([
  ['a peak', [99, 10, 99, 10, 10], []],
  ['three of five', [99, 10, 99, 10, 99], ['4: raised']],
  ['three that are too far apart', [99, 10, 10, 99, 10, 10, 99], []],
  ['just at it', [80, 80, 80, 80, 80], []],
  ['told once while it lasts', [90, 90, 90, 90, 90, 90, 90], ['2: raised']],
  ['near it is not below it', [90, 90, 90, 79, 79, 79, 79, 79, 79], ['2: raised']],
  ['well below it', [90, 90, 90, 75, 75, 75], ['2: raised', '5: recovered']],
  ['one peak on the way down', [90, 90, 90, 75, 75, 90, 75, 75, 75, 75, 75], ['2: raised', '10: recovered']],
  ['again', [90, 90, 90, 10, 10, 10, 90, 90, 90], ['2: raised', '5: recovered', '8: raised']],
  ['what could not be read says nothing', [90, null, 90, NaN, Infinity, 90], ['5: raised']]
])('%s', (_what, figures, changes) => expect(changesOf(figures)).toEqual(changes))
