export const firstSelector = 'default'

export function nextSelector(now: Date, taken: ReadonlySet<string>): string {
  const ofDay = `s${now.toISOString().slice(0, 10).replaceAll('-', '')}`
  for (let number = 1; ; number++) {
    const selector = number === 1 ? ofDay : `${ofDay}-${number}`
    if (!taken.has(selector)) return selector
  }
}
