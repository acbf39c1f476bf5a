import { readFile, stat } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { report } from './figures.ts'

const dist = fileURLToPath(new URL('../packages/dashboard/dist/', import.meta.url))
const budgetKb = 15

/** What a page brings beyond what all have: the largest, compressed as it is sent. */
export async function benchChunks(): Promise<void> {
  const assets = JSON.parse(await readFile(`${dist}assets.json`, 'utf8')) as string[]
  const ofPages = assets.filter((name) => /-(page|tab)-[\w-]+\.js\.br$/.test(name))
  const sizes = await Promise.all(
    ofPages.map(async (name) => ({ name, kB: (await stat(`${dist}assets/${name}`)).size / 1_000 }))
  )
  const largest = sizes.reduce((one, other) => (other.kB > one.kB ? other : one))
  report(
    `chunk of a page, largest of ${sizes.length}: ${largest.name.replace(/-[\w-]{8}\.js\.br$/, '')}`,
    `${largest.kB.toFixed(1)} kB`,
    {
      value: largest.kB / budgetKb,
      aim: `<= 1x of ${budgetKb} kB`
    }
  )
}
