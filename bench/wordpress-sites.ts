import { setTimeout as sleep } from 'node:timers/promises'
import { prepareImages } from './engine.ts'
import { median, report } from './figures.ts'
import { startMeasuredPanel } from './panel.ts'
import { step } from './step.ts'
import { loadInTurn, reportPages } from './wordpress-pages.ts'
import {
  buildPlainApache,
  containerMemory,
  type MeasuredSite,
  type PlainApache,
  removeContainers,
  startPlainApache,
  startSite
} from './wordpress-site.ts'

// PHP ends after 10 s without requests.
const restMs = 30_000
const aimedMegabytes = 45

/** Sites of as many accounts side by side, and as many on plain Apache: requests to all of them at once, and the memory of each at rest after that. */
export async function benchWordpressSites(count: number): Promise<void> {
  await step('building the images', () => Promise.all([prepareImages(), buildPlainApache()]))
  const panel = await startMeasuredPanel()
  const plain: PlainApache[] = []
  try {
    const sites: MeasuredSite[] = []
    for (let index = 1; index <= count; index++)
      await step(`site ${index} of ${count}, and plain Apache on its files`, async () => {
        const site = await startSite(panel, await panel.signUp(), `bench-${index}`)
        sites.push(site)
        plain.push(await startPlainApache(site))
      })
    const loads = await loadInTurn(panel, sites, plain, { rounds: 3, connections: 1, seconds: 6 })
    await step('coming to rest', () => sleep(restMs))
    reportMemory(
      await memoryOf(sites.map(({ containerId }) => containerId)),
      await memoryOf(plain.map(({ container }) => container))
    )
    reportPages(loads, `${count} sites, `)
  } finally {
    if (plain.length > 0) await removeContainers(plain)
    await panel.dispose()
  }
}

type Memory = Awaited<ReturnType<typeof containerMemory>>

const memoryOf = (containers: readonly string[]): Promise<Memory[]> => Promise.all(containers.map(containerMemory))

function reportMemory(sites: readonly Memory[], plain: readonly Memory[]): void {
  const megabytes = (of: readonly Memory[], part: (each: Memory) => number) => median(of.map(part)) / 2 ** 20
  const show = (of: readonly Memory[]) => {
    const figure = (['processes', 'shared'] as const).map(
      (part) => `${megabytes(of, (each) => each[part]).toFixed(1)} MB`
    )
    report('  of its processes', `${figure[0]} and ${figure[1]} shared`)
  }
  const all = ({ processes, shared }: Memory) => processes + shared
  const own = megabytes(sites, all)
  report(`memory at rest of a site, median of ${sites.length}`, `${own.toFixed(1)} MB`, {
    value: own / aimedMegabytes,
    aim: `<= 1x of ${aimedMegabytes} MB`
  })
  show(sites)
  const bare = megabytes(plain, all)
  report('the same on plain Apache and PHP of Debian', `${bare.toFixed(1)} MB`)
  show(plain)
  report('memory at rest to plain', '', { value: own / bare, aim: '<= 1x' })
}
