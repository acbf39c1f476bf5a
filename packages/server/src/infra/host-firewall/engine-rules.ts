import { ProcessError, type Run } from '../process/process.ts'
import { FirewallError } from './host-firewall.ts'

const timeoutMs = 15_000

/**
 * The container engine has five rules for each of its networks, and every forwarded packet passes them one after the other. What belongs to a
 * connection that was let through goes on before them: two rules, in the chain that the engine leaves to others, however many networks of
 * ours there are. Rejects with FirewallError where the engine has no such chain.
 */
export async function shortenEngineRules(run: Run, bridgePrefix: string): Promise<void> {
  for (const rule of rulesFor(bridgePrefix)) if (!(await isThere(run, rule))) await iptables(run, ['-I', ...rule])
}

/** Resolves also when they are not there. */
export async function restoreEngineRules(run: Run, bridgePrefix: string): Promise<void> {
  for (const rule of rulesFor(bridgePrefix)) if (await isThere(run, rule)) await iptables(run, ['-D', ...rule])
}

function rulesFor(bridgePrefix: string): string[][] {
  if (!/^[a-z0-9]{3,14}$/.test(bridgePrefix)) throw new TypeError(`Not the beginning of bridges: ${bridgePrefix}`)
  const established = ['-m', 'conntrack', '--ctstate', 'RELATED,ESTABLISHED', '-j', 'ACCEPT']
  return ['-i', '-o'].map((direction) => ['DOCKER-USER', direction, `${bridgePrefix}+`, ...established])
}

async function isThere(run: Run, rule: readonly string[]): Promise<boolean> {
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
    // It waits for whoever else is changing rules.
    await run(['iptables', '-w', '10', ...args], { timeoutMs })
  } catch (cause) {
    if (!(cause instanceof ProcessError)) throw cause
    throw new FirewallError(cause.stderr.trim().split('\n')[0]?.slice(0, 300) || cause.message, { cause })
  }
}
