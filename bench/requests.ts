import autocannon from 'autocannon'

const loadSeconds = 5

/** Of the site of a project, through the proxy (at `address`), with 32 kept connections. */
export async function requestsPerSecond(proxyPort: number, project: string, address = '127.0.0.1'): Promise<number> {
  const { errors, non2xx, requests } = await autocannon({
    url: `http://${address}:${proxyPort}/`,
    connections: 32,
    duration: loadSeconds,
    headers: { host: `${project}.apps.localhost` }
  })
  if (errors + non2xx > 0) throw new Error(`${errors} errors, ${non2xx} other answers`)
  return requests.average
}

/** Milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
