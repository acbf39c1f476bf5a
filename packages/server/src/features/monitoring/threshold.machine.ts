export interface ThresholdState {
  isRaised: boolean
  /** The last readings, latest last, relative to the threshold and hysteresis. */
  recent: readonly ('above' | 'between' | 'below')[]
}

export const calm: ThresholdState = { isRaised: false, recent: [] }

/** Raised by 3 of the last 5 readings, so that a single peak does not alert. */
const window = 5
const toRaise = 3
/** Percentage points below the threshold, so that a value close to it does not flap. */
const hysteresis = 5

export type ThresholdStep = { state: ThresholdState; change?: 'raised' | 'recovered' }

export function evaluateThreshold(state: ThresholdState, value: number | null, threshold: number): ThresholdStep {
  if (value === null || !Number.isFinite(value)) return { state }
  const place = value > threshold ? 'above' : value <= threshold - hysteresis ? 'below' : 'between'
  const recent = [...state.recent, place].slice(-window) as ThresholdState['recent']
  const count = (which: (typeof recent)[number]) => recent.filter((each) => each === which).length
  if (!state.isRaised && place === 'above' && count('above') >= toRaise)
    return { state: { isRaised: true, recent: [] }, change: 'raised' }
  if (state.isRaised && place === 'below' && count('below') >= toRaise && count('above') === 0)
    return { state: { isRaised: false, recent: [] }, change: 'recovered' }
  return { state: { isRaised: state.isRaised, recent } }
}
