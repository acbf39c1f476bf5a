import type { Locator, Page } from 'playwright-core'

/** A page that counts what a person does on it: each click, and each field that is filled, is one action. */
export function countedPage(page: Page) {
  let actions = 0
  return {
    page,
    /** The number of actions so far. */
    actions: () => actions,
    async click(target: Locator): Promise<void> {
      actions++
      await target.click()
    },
    async fill(target: Locator, text: string): Promise<void> {
      actions++
      await target.fill(text)
    }
  }
}
