import { useMemo } from 'react'
import type { Line } from '../../ui/chart/series.ts'

const tokens = ['--series-1', '--series-2', '--series-3'] as const

type Values = Line['values']
type Named = readonly [label: string, values: Values]

/** Up to three colored lines; memoized, because charts redraw when the array changes. */
export function useLines(first: Named, second?: Named, third?: Named): Line[] {
  const [a, ofA] = first
  const [b, ofB] = second ?? []
  const [c, ofC] = third ?? []
  return useMemo(() => {
    const named: [string | undefined, Values | undefined][] = [
      [a, ofA],
      [b, ofB],
      [c, ofC]
    ]
    return named.flatMap(([label, values], at) =>
      label === undefined || values === undefined ? [] : [{ label, values, token: tokens[at]! }]
    )
  }, [a, ofA, b, ofB, c, ofC])
}
