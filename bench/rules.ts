import { DomainRule } from '@panel/contract/domain-rules'
import { request, startTestProxy, type TestProxy } from '../e2e/domains/proxy.harness.ts'
import type { StoredRule } from '../packages/server/src/infra/reverse-proxy/reverse-proxy.ts'
import { median, report } from './figures.ts'
import { proxyCost } from './proxy-load.ts'
import { step } from './step.ts'

const rounds = 5
const sets = 100
const rulesPerSet = 100
const many = sets * rulesPerSet

const plain = 'plain.example.com'
const ruled = 'ruled.example.com'
const few = [{ id: 'few', rules: [redirect('one', '/old', '/new')] }]

/** What 10,000 rules of others cost a host without rules and one with a single rule, and what a change of one costs. */
export async function benchRules(): Promise<void> {
  const environment = await startTestProxy()
  const { proxy, first: target } = environment
  try {
    await proxy.syncRules(few)
    await proxy.sync([
      { hostname: plain, target, forceHttps: false },
      { hostname: ruled, target, forceHttps: false, rules: 'few' }
    ])
    const pid = await environment.workerPid()
    const others = Array.from({ length: sets }, (_, set) => ({
      id: `set${set}`,
      rules: Array.from({ length: rulesPerSet }, (_, n) => redirect(`${set}-${n}`, `/old/${n}`, `/new/${n}`))
    }))
    const cost = new Map([plain, ruled].map((host) => [host, { alone: [] as number[], among: [] as number[] }]))
    await step(`requests beside one rule and beside ${many}`, async () => {
      for (let round = 0; round <= rounds; round++)
        for (const kind of round % 2 === 0 ? (['alone', 'among'] as const) : (['among', 'alone'] as const)) {
          await proxy.syncRules(kind === 'alone' ? few : [...few, ...others])
          for (const host of [plain, ruled]) {
            const microseconds = await proxyCost(environment, host)
            if (round > 0) cost.get(host)![kind].push(microseconds)
          }
        }
    })
    for (const [host, { alone, among }] of cost) {
      const name = host === plain ? 'a host without rules' : 'a host with one rule'
      report(`HAProxy, a request to ${name}, beside ${many} rules`, `${median(among).toFixed(1)} / ${median(alone).toFixed(1)} us`, { value: median(among) / median(alone), aim: '<= 1.1x' }) // oxfmt-ignore
    }
    await step('changing one of them', () => benchChange(environment, others))
    if ((await environment.workerPid()) !== pid) throw new Error('HAProxy was reloaded')
  } finally {
    await environment.close()
  }
}

/** Milliseconds until a request meets a changed rule. */
async function benchChange(
  { proxy, httpPort }: TestProxy,
  others: readonly { id: string; rules: StoredRule[] }[]
): Promise<void> {
  const times = { alone: [] as number[], among: [] as number[] }
  for (let round = 0; round < 2 * rounds; round++)
    for (const kind of ['alone', 'among'] as const) {
      const to = `/new-${round}-${kind}`
      await proxy.syncRules(kind === 'alone' ? few : [...few, ...others])
      const started = performance.now()
      const changed = [{ id: 'few', rules: [redirect('one', '/old', to)] }]
      await proxy.syncRules(kind === 'alone' ? changed : [...changed, ...others])
      while ((await request(httpPort, '/old', { host: ruled })).headers.location?.endsWith(to) !== true);
      if (round >= rounds) times[kind].push(performance.now() - started)
    }
  report(`a changed rule to its redirect, among ${many}`, `${median(times.among).toFixed(0)} / ${median(times.alone).toFixed(0)} ms`) // oxfmt-ignore
}

function redirect(id: string, path: string, to: string): StoredRule {
  const rule = DomainRule.parse({ kind: 'REDIRECT', path, to, status: 301, match: 'EXACT' })
  if (rule.kind === 'LOGIN') throw new Error('not a redirect')
  return { ...rule, id }
}
