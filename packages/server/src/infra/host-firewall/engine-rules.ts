import { ProcessError, type Run } from '../process/process.ts'
import { FirewallError } from './host-firewall.ts'

const timeoutMs = 15_000

/**
 * The engine adds five rules per network that every forwarded packet passes in order. These two rules in the
 * DOCKER-USER chain accept established connections before them, regardless of the number of networks. Rejects with
 * FirewallError if the engine has no such chain.
 */
export async function shortenEngineRules(run: Run, bridgePrefix: string): Promise<void> {
  for (const rule of rulesFor(bridgePrefix)) if (!(await ruleExists(run, rule))) await iptables(run, ['-I', ...rule])
}

export async function restoreEngineRules(run: Run, bridgePrefix: string): Promise<void> {
  for (const rule of rulesFor(bridgePrefix)) if (await ruleExists(run, rule)) await iptables(run, ['-D', ...rule])
}

function rulesFor(bridgePrefix: string): string[][] {
  if (!/^[a-z0-9]{3,14}$/.test(bridgePrefix)) throw new TypeError(`Invalid bridge prefix: ${bridgePrefix}`)
  const established = ['-m', 'conntrack', '--ctstate', 'RELATED,ESTABLISHED', '-j', 'ACCEPT']
  return ['-i', '-o'].map((direction) => ['DOCKER-USER', direction, `${bridgePrefix}+`, ...established])
}

async function ruleExists(run: Run, rule: readonly string[]): Promise<boolean> {
  try {
    await iptables(run, ['-C', ...rule])
    return true
  } catch (error) {
    if (error instanceof FirewallError) return false
    throw error
  }
}

async function iptables(run: Run, args: readonly string[]): Promise<void> {
  try {
    await run(['iptables', '-w', '10', ...args], { timeoutMs })
  } catch (cause) {
    if (!(cause instanceof ProcessError)) throw cause
    throw new FirewallError(cause.stderr.trim().split('\n')[0]?.slice(0, 300) || cause.message, { cause })
  }
}
