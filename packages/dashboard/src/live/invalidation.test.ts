import { expect, test } from 'vitest'
import { outdatedKeysOf } from './invalidation.ts'

test.each([
  ['deployment:status', { projectId: 'p' }, [['projects', 'p'], ['projects', 'list']]], // oxfmt-ignore
  ['domain', { domainId: 'd', projectId: null }, [['domains', 'd'], ['domains', 'list']]], // oxfmt-ignore
  ['import', { projectId: 'p', mailboxId: null }, [['projects', 'p'], ['projects', 'list']]], // oxfmt-ignore
  ['import', { projectId: null, mailboxId: 'm' }, [['mailboxes', 'm'], ['mailboxes', 'list']]], // oxfmt-ignore
  ['changed', { type: 'import', id: null, projectId: null }, [['projects'], ['mailboxes']]],
  ['changed', { type: 'variables', id: 'p', projectId: 'p' }, [['projects', 'p'], ['projects', 'list']]], // oxfmt-ignore
  ['changed', { type: 'domain', id: null, projectId: null }, [['domains']]]
])('%s %j', (name, event, keys) => expect(outdatedKeysOf(name, event)).toEqual(keys))

test('unknown events invalidate nothing', () => {
  expect(outdatedKeysOf('deployment:log', {})).toBeUndefined()
})
