import { percentile } from './figures.ts'

/** One who reads, in a process of its own, so that nothing but the panel keeps it waiting: prints what its answers took. */
const { URL: url = '', COOKIE: cookie = '', SECONDS = '5' } = process.env
const times: number[] = []
const until = performance.now() + Number(SECONDS) * 1_000
for (let started = performance.now(); started < until; started = performance.now()) {
  const answer = await fetch(url, { headers: { cookie } })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`)
  times.push(performance.now() - started)
}
console.log(JSON.stringify({ p99: percentile(times, 0.99), most: Math.max(...times) }))
