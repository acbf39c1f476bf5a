import autocannon from 'autocannon'
import { openBrowser } from '../e2e/support/wordpress.ts'
import { median, percentile, report } from './figures.ts'

export interface Page {
  url: string
  headers: Record<string, string> & { host: string }
}

/** Requests a second and the p95 of each round. */
export type Load = { perSecond: number; p95: number }[]

/** WordPress ignores the cookie, which is not signed; the page cache does not. */
export const signedIn = { cookie: 'wordpress_logged_in_bench=x' }

/** All pages at once, each over connections of its own. */
export async function loadPages(
  pages: readonly Page[],
  { connections, seconds }: { connections: number; seconds: number }
): Promise<Load[number]> {
  const times: number[] = []
  const results = await Promise.all(
    pages.map(
      ({ url, headers }) =>
        new Promise<autocannon.Result>((resolve, reject) => {
          const options = { url, headers, connections, duration: seconds, timeout: 60 }
          const running = autocannon(options, (error, result) => (error ? reject(error as Error) : resolve(result)))
          running.on('response', (_client, _status, _bytes, time) => times.push(time))
        })
    )
  )
  const failed = results.reduce((sum, { errors, non2xx }) => sum + errors + non2xx, 0)
  if (failed > 0) throw new Error(`${failed} errors and answers other than 200`)
  return { perSecond: times.length / seconds, p95: percentile(times, 0.95) }
}

export async function requireCache({ url, headers }: Page, expected: string): Promise<void> {
  const { hostname, port, pathname } = new URL(url)
  const browser = openBrowser({ host: hostname, port: Number(port), hostname: headers.host })
  const answer = (await browser.get(pathname, headers)).headers['x-cache']
  if (answer !== expected) throw new Error(`the page cache answered ${answer}, not ${expected}`)
}

export const perSecondOf = (load: Load): number => median(load.map(({ perSecond }) => perSecond))
export const p95Of = (load: Load): number => median(load.map(({ p95 }) => p95))

export const showLoad = (name: string, load: Load): void =>
  report(name, `${perSecondOf(load).toFixed(0)} requests/s, p95 ${p95Of(load).toFixed(0)} ms`)
