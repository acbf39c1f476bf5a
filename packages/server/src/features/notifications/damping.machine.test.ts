import { expect, test } from 'vitest'
import { damp, noMemory, settle, type SubjectState } from './damping.machine.ts'

const minute = 60_000
function played(events: readonly [minutes: number, state: SubjectState][]) {
  let memory = noMemory
  const sent = events.map(([minutes, state], index) => {
    const result = damp(memory, { id: String(index), state }, minutes * minute)
    memory = result.memory
    return result.isSent ? (result.note === null ? 'sent' : 'noted') : 'held'
  })
  return { memory, sent }
}
const [down, up] = ['problem', 'recovered'] as const

test.each<[string, [number, SubjectState][], string[]]>([
  [
    'a problem and its end',
    [
      [0, down],
      [5, up]
    ],
    ['sent', 'sent']
  ],
  [
    'twice in the window',
    [
      [0, down],
      [1, up],
      [2, down],
      [3, up]
    ],
    ['sent', 'sent', 'sent', 'noted']
  ],
  [
    'more than that',
    [
      [0, down],
      [1, up],
      [2, down],
      [3, up],
      [4, down],
      [5, up]
    ],
    ['sent', 'sent', 'sent', 'noted', 'held', 'held']
  ],
  [
    'slowly',
    [
      [0, down],
      [20, up],
      [40, down],
      [60, up],
      [80, down]
    ],
    ['sent', 'sent', 'sent', 'sent', 'sent']
  ],
  [
    'what is held keeps the rest until it settles',
    [
      [0, down],
      [1, up],
      [2, down],
      [3, up],
      [4, down],
      [60, up]
    ],
    ['sent', 'sent', 'sent', 'noted', 'held', 'held']
  ],
  [
    'a clock that went back forgets the future',
    [
      [100, down],
      [101, up],
      [102, down],
      [103, up],
      [0, down]
    ],
    ['sent', 'sent', 'sent', 'noted', 'sent']
  ]
])('%s', (_name, events, expected) => expect(played(events).sent).toEqual(expected))

test('once steady, another state than was told is told, the same is not', () => {
  const { memory } = played([
    [0, down],
    [1, up],
    [2, down],
    [3, up],
    [4, down]
  ])
  expect(memory).toMatchObject({ toldState: up, heldId: '4', settleAt: 19 * minute })
  expect(settle(memory, down, 18 * minute)).toEqual({ memory, isSent: false })
  expect(settle(memory, down, 19 * minute)).toMatchObject({ isSent: true, memory: { toldState: down, heldId: null } })
  expect(settle(memory, up, 19 * minute)).toMatchObject({ isSent: false, memory: { toldState: up, heldId: null } })
  expect(settle(memory, null, 19 * minute).isSent).toBe(false)
  const dayBefore = (19 - 24 * 60) * minute
  expect(settle(memory, down, dayBefore)).toMatchObject({ isSent: true, memory: { settleAt: null } })
})
