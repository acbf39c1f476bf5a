/** The first key's, unless somebody else's record has it. */
export const firstSelector = 'default'

/** One that is free: of the day, so that people see how old a key is. */
export function nextSelector(now: Date, taken: ReadonlySet<string>): string {
  const ofDay = `s${now.toISOString().slice(0, 10).replaceAll('-', '')}`
  for (let number = 1; ; number++) {
    const selector = number === 1 ? ofDay : `${ofDay}-${number}`
    if (!taken.has(selector)) return selector
  }
}
