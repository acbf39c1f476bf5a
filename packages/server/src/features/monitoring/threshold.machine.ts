/** What is kept of a figure between two evaluations. */
export interface ThresholdState {
  isRaised: boolean
  /** The last ones, the newest last: whether each was above the threshold, or well below it. */
  recent: readonly ('above' | 'between' | 'below')[]
}

export const calm: ThresholdState = { isRaised: false, recent: [] }

/** Of the last so many readings so many: one peak is nothing to be woken for. */
const window = 5
const toRaise = 3
/** Points below the threshold, so that a figure that stays near it does not come and go. */
const hysteresis = 5

export type ThresholdStep = { state: ThresholdState; change?: 'raised' | 'recovered' }

/** A figure that could not be read says nothing. */
export function evaluateThreshold(state: ThresholdState, value: number | null, threshold: number): ThresholdStep {
  if (value === null || !Number.isFinite(value)) return { state }
  const place = value > threshold ? 'above' : value <= threshold - hysteresis ? 'below' : 'between'
  const recent = [...state.recent, place].slice(-window) as ThresholdState['recent']
  const count = (which: (typeof recent)[number]) => recent.filter((each) => each === which).length
  // From the change on it is counted anew.
  if (!state.isRaised && place === 'above' && count('above') >= toRaise)
    return { state: { isRaised: true, recent: [] }, change: 'raised' }
  if (state.isRaised && place === 'below' && count('below') >= toRaise && count('above') === 0)
    return { state: { isRaised: false, recent: [] }, change: 'recovered' }
  return { state: { isRaised: state.isRaised, recent } }
}
