import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type SamplePanel, sampleSizes } from './dashboard-sample.ts'
import { type BenchWindow, openWindow, reportInteractions, watchInteractions } from './dashboard-window.ts'
import { report } from './figures.ts'

const files = 10_000
const mostRows = 60

/** Lists of which only the rows in sight are drawn: a zone of 1,500 records, of which some are edited, and a folder of 10,000 files. */
export async function benchLongLists(browser: Browser, panel: SamplePanel): Promise<void> {
  const directory = join(panel.dataDir, 'workspaces/projects/by-id', panel.projectId, 'many')
  await mkdir(directory, { recursive: true })
  for (let n = 0; n < files; n++) await writeFile(join(directory, `file-${n}.txt`), '')
  const opened = await openWindow(browser, panel)
  await opened.slowDown()
  const interactions = await watchInteractions(opened)
  await list(opened, `zone of ${sampleSizes.records} records`, `/domains/${panel.domainId}/dns`)
  const { page, context } = opened
  for (let n = 0; n < 5; n++) {
    const edit = page.getByRole('button', { name: /^Edit/ }).nth(n)
    await edit.click()
    const value = page.getByRole('textbox', { name: 'Value' }).last()
    await value.waitFor()
    await page.keyboard.type('1', { delay: 90 })
    await page.keyboard.press('Escape')
    await edit.waitFor()
  }
  reportInteractions('rows of the zone edited', await interactions.seen())
  await list(opened, `folder of ${files} files`, `/projects/${panel.projectId}/files?path=many`)
  await context.close()
}

async function list({ page }: BenchWindow, what: string, path: string): Promise<void> {
  const started = performance.now()
  await page.goto(path)
  const rows = page.locator('main table[aria-rowcount] tbody tr')
  await rows.nth(10).waitFor()
  report(`${what}: from the address to its rows`, `${(performance.now() - started).toFixed(0)} ms`)
  const drawn = await rows.count()
  report(`${what}: rows drawn`, String(drawn), { value: drawn / mostRows, aim: `<= 1x of ${mostRows}` })
}
