import { describe, expect, test } from 'vitest'
import { DeployRules } from '@panel/contract/deploy-rules'
import { type FilePayload, changedFiles } from './changed-files.policy.ts'
import type { Push } from './push-event.policy.ts'
import { decidePush } from './push-rules.policy.ts'

const hash = 'deadbeef'.repeat(5)
const other = 'cafebabe'.repeat(5)

describe('decidePush', () => {
  type Change = Partial<Omit<Push, 'ref'>> & { branch?: string; tag?: string }
  const pushOf = ({ branch = 'main', tag, ...rest }: Change): Push => {
    const ref: Push['ref'] = tag === undefined ? { kind: 'branch', name: branch } : { kind: 'tag', name: tag }
    return { ref, commitHash: hash, commitMsg: 'Hello', files: ['src/a.ts'], ...rest }
  }
  const decide = (rules: object, ...pushes: [Push, ...Push[]]) =>
    decidePush({ rules: DeployRules.parse(rules), branch: 'main' }, pushes)

  test.each<[string, object, Change]>([
    ['no rules', {}, {}],
    ['no rules, no message', {}, { commitMsg: null }],
    ['a marker that does not count', { skipMarkers: false }, { commitMsg: '[skip ci]' }],
    ['a marker without brackets', {}, { commitMsg: 'skip ci' }],
    ['a watched file', { watchPaths: ['docs/**', 'src/**'] }, {}],
    ['one of several files', { watchPaths: ['src/**'] }, { files: ['README.md', 'src/b/c.ts'] }],
    ['a file whose name begins with a dot', { watchPaths: ['**'] }, { files: ['.github/x.yml'] }],
    ['all but an excluded folder', { watchPaths: ['!docs/**'] }, {}],
    ['unknown files', { watchPaths: ['docs/**'] }, { files: null }],
    ['a tag that matches', { tagPattern: 'v*' }, { tag: 'v1.2' }],
    ['a tag without the branch', { tagPattern: 'v*', branch: false }, { tag: 'v1' }],
    ['a tag, whatever changed', { tagPattern: 'v*', watchPaths: ['docs/**'] }, { tag: 'v1' }],
    ['the branch beside tags', { tagPattern: 'v*' }, {}]
  ])('%s: deploys', (_, rules, change) => {
    expect(decide(rules, pushOf(change))).toEqual({ kind: 'deploy', push: pushOf(change) })
  })

  test.each<[string, object, Change, string]>([
    ['another branch', {}, { branch: 'dev' }, 'Branch mismatch'],
    ['a tag without a pattern', {}, { tag: 'main' }, 'Branch mismatch'],
    ['tags only', { branch: false, tagPattern: 'v*' }, {}, 'Branch mismatch'],
    ['another tag', { tagPattern: 'v*' }, { tag: 'nightly' }, 'The tag does not match the pattern'],
    ['an excluded tag', { tagPattern: '!*-rc*' }, { tag: 'v1-rc1' }, 'The tag does not match the pattern'],
    ['switched off', { automatic: false }, {}, 'Automatic deployment is off'],
    ['off for tags too', { automatic: false, tagPattern: '*' }, { tag: 'v1' }, 'Automatic deployment is off'],
    ['no watched file', { watchPaths: ['docs/**'] }, {}, 'No watched path changed'],
    [
      'only excluded files',
      { watchPaths: ['src/**', '!src/*.md'] },
      { files: ['src/a.md'] },
      'No watched path changed'
    ],
    ['an extended glob is plain text', { watchPaths: ['+(src)/**'] }, {}, 'No watched path changed'],
    ...['[skip ci]', '[ci skip]', '[skip deploy]', '[Skip CI]'].map((marker): [string, object, Change, string] => [
      marker,
      {},
      { commitMsg: `Fix\n\n${marker}` },
      `The commit message contains ${marker.toLowerCase()}`
    ])
  ])('%s: ignored', (_, rules, change, reason) => {
    expect(decide(rules, pushOf(change))).toEqual({ kind: 'ignored', push: pushOf(change), reason })
  })

  test('of several refs, the first that may deploy; otherwise the reason of the one that concerns the project', () => {
    const [dev, tag, main] = [pushOf({ branch: 'dev' }), pushOf({ tag: 'v1' }), pushOf({})]
    expect(decide({}, dev, tag, main)).toEqual({ kind: 'deploy', push: main })
    const off = 'Automatic deployment is off'
    expect(decide({ automatic: false }, dev, main)).toEqual({ kind: 'ignored', push: main, reason: off })
  })
})

describe('changedFiles', () => {
  const commit = (id: string, change: object = {}) => ({ id, added: [], modified: [], removed: [], ...change })
  const payload = (change: FilePayload = {}): FilePayload => ({
    before: other,
    commits: [commit(other, { added: ['a'] }), commit(hash, { modified: ['b', 'a'], removed: ['c'] })],
    ...change
  })

  test.each<[string, FilePayload]>([
    ['GitHub', payload({ created: false, forced: false })],
    ['GitLab', payload({ total_commits_count: 2 })],
    ['Gitea', payload({ total_commits: 2 })]
  ])('%s lists them', (_, body) => {
    expect(changedFiles(body, hash)).toEqual(['a', 'b', 'c'])
  })

  test.each<[string, FilePayload]>([
    ['no lists', payload({ commits: [{ id: hash, message: '' }] })],
    ['a list of no text', payload({ commits: [commit(hash, { added: [5] })] })],
    ['no commits', payload({ commits: [] })],
    ['no member commits', payload({ commits: undefined })],
    ['a cut list of GitLab', payload({ total_commits_count: 21 })],
    ['a cut list of Gitea', payload({ total_commits: 3 })],
    ['a list that may be cut', payload({ commits: Array(2048).fill(commit(hash, { added: ['a'] })) })],
    [
      'too many files',
      payload({ commits: [commit(hash, { added: Array.from({ length: 10_001 }, (_, i) => `${i}`) })] })
    ],
    ['no head', payload({ commits: [commit(other, { added: ['a'] })] })],
    ['a forced push', payload({ forced: true })],
    ['a new branch of GitHub', payload({ created: true })],
    ['a new branch', payload({ before: '0'.repeat(40) })],
    ['no previous commit', payload({ before: undefined })],
    ['an empty commit', payload({ commits: [commit(hash)] })]
  ])('%s: unknown', (_, body) => {
    expect(changedFiles(body, hash)).toBeNull()
  })
})
