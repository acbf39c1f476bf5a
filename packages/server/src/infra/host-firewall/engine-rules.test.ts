import { expect, test } from 'vitest'
import { ProcessError, type Run } from '../process/process.ts'
import { restoreEngineRules, shortenEngineRules } from './engine-rules.ts'

function chain(has = true) {
  const rules: string[] = []
  const run: Run = async ([file, , , operation, ...rule]) => {
    expect(file).toBe('iptables')
    const text = rule.join(' ')
    const refuse = (stderr: string) => Promise.reject(new ProcessError('iptables: exited with 1', 'failed', 1, stderr))
    if (!has) return refuse('iptables: No chain/target/match by that name.\n')
    if (operation === '-I') rules.unshift(text)
    else if (!rules.includes(text)) return refuse('iptables: Bad rule (does a matching rule exist in that chain?).\n')
    else if (operation === '-D') rules.splice(rules.indexOf(text), 1)
    return { stdout: '', stderr: '' }
  }
  return { run, rules }
}

test('adds two rules once and removes them', async () => {
  const { run, rules } = chain()
  await shortenEngineRules(run, 'pn012345')
  await shortenEngineRules(run, 'pn012345')
  expect(rules).toEqual([
    'DOCKER-USER -o pn012345+ -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
    'DOCKER-USER -i pn012345+ -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT'
  ])
  await restoreEngineRules(run, 'pn012345')
  await restoreEngineRules(run, 'pn012345')
  expect(rules).toEqual([])
})

test('rejects a missing chain and an invalid name', async () => {
  const { run } = chain(false)
  await expect(shortenEngineRules(run, 'pn012345')).rejects.toMatchObject({
    name: 'FirewallError',
    message: 'iptables: No chain/target/match by that name.'
  })
  await restoreEngineRules(run, 'pn012345')
  await expect(shortenEngineRules(run, '-j ACCEPT')).rejects.toThrow(TypeError)
})
