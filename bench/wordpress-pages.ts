import { prepareImages } from './engine.ts'
import { report } from './figures.ts'
import { type RunningPanel, startMeasuredPanel } from './panel.ts'
import { step } from './step.ts'
import {
  type Load,
  loadPages,
  p95Of,
  type Page,
  perSecondOf,
  requireCache,
  showLoad,
  signedIn
} from './wordpress-load.ts'
import {
  buildPlainApache,
  type MeasuredSite,
  type PlainApache,
  removeContainers,
  startPlainApache,
  startSite
} from './wordpress-site.ts'

/** The front page of a new site: with the page cache, without it, and on plain Apache and PHP of Debian without the proxy. */
export async function benchWordpressPages(): Promise<void> {
  await step('building the images', () => Promise.all([prepareImages(), buildPlainApache()]))
  const panel = await startMeasuredPanel()
  try {
    const user = await panel.signUp()
    const site = await step('deploying and installing a site', () => startSite(panel, user, 'bench'))
    const plain = await step('starting plain Apache', () => startPlainApache(site))
    try {
      reportPages(await loadInTurn(panel, [site], [plain], { rounds: 5, connections: 8, seconds: 4 }))
    } finally {
      await removeContainers([plain])
    }
  } finally {
    await panel.dispose()
  }
}

type Loads = Record<'plain' | 'uncached' | 'cached', Load>

/** Loads the front pages of all sites at once. The kinds take turns, after one round to warm up, so that noise meets all alike. */
export async function loadInTurn(
  { proxyPort }: RunningPanel,
  sites: readonly MeasuredSite[],
  plain: readonly PlainApache[],
  { rounds, ...load }: { rounds: number; connections: number; seconds: number }
): Promise<Loads> {
  const url = `http://127.0.0.1:${proxyPort}/`
  const pages = {
    plain: plain.map(({ url }, index): Page => ({ url, headers: { host: sites[index]!.host, ...signedIn } })),
    uncached: sites.map(({ host }): Page => ({ url, headers: { host, ...signedIn } })),
    cached: sites.map(({ host }): Page => ({ url, headers: { host } }))
  }
  const loads: Loads = { plain: [], uncached: [], cached: [] }
  for (let round = 0; round <= rounds; round++) {
    for (const name of ['plain', 'uncached', 'cached'] as const) {
      const text = `${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`}: ${name}`
      const found = await step(text, () => loadPages(pages[name], load))
      if (round > 0) loads[name].push(found)
    }
    for (const page of pages.uncached) await requireCache(page, 'BYPASS')
    for (const page of pages.cached) await requireCache(page, 'HIT')
  }
  return loads
}

export function reportPages({ plain, uncached, cached }: Loads, prefix = ''): void {
  showLoad(`${prefix}plain Apache and PHP of Debian`, plain)
  showLoad(`${prefix}without the page cache`, uncached)
  showLoad(`${prefix}with the page cache`, cached)
  const compare = (name: string, value: number, aim: string) => report(`${prefix}${name}`, '', { value, aim })
  compare('requests/s without the page cache to plain', perSecondOf(uncached) / perSecondOf(plain), '>= 0.9x')
  compare('p95 without the page cache to plain', p95Of(uncached) / p95Of(plain), '<= 1.2x')
  compare('requests/s with the page cache to plain', perSecondOf(cached) / perSecondOf(plain), '>= 10x')
  compare('p95 with the page cache to plain', p95Of(cached) / p95Of(plain), '<= 0.1x')
}
