export interface PageAction {
  label: string
  run(): void
}

/** Read from the DOM, which excludes disabled actions and those the account may not use. */
export function listPageActions(): PageAction[] {
  const found = document.querySelectorAll<HTMLElement>('#main [data-acts] :is(button, a)')
  const actions = new Map<string, PageAction>()
  for (const element of found) {
    const label = (element.getAttribute('aria-label') ?? element.textContent).trim()
    const isOff = element.matches(':disabled, [data-disabled], [data-loading], [aria-disabled=true], [aria-haspopup]')
    if (label !== '' && !isOff && !actions.has(label)) actions.set(label, { label, run: () => press(element) })
  }
  return [...actions.values()]
}

/** Focus first, so that a dialog opened by the click returns the focus to the element. */
function press(element: HTMLElement): void {
  element.focus()
  element.click()
}
