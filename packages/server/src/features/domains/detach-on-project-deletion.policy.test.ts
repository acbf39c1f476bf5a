import { expect, test } from 'vitest'
import { planDetachment } from './detach-on-project-deletion.policy.ts'

const domain = (id: string, values: { parentId?: string; projectId?: string | null; zoneId?: string } = {}) => ({
  id,
  parentId: null,
  projectId: 'p',
  zoneId: null,
  ...values
})
const plan = (...tree: ReturnType<typeof domain>[]) => {
  const { remove, detach } = planDetachment(tree, 'p')
  return { remove: remove.map((row) => row.id), detach: detach.map((row) => row.id) }
}

test('domains of the project go with it', () => {
  expect(plan(domain('a'), domain('b', { parentId: 'a' }))).toEqual({ remove: ['a', 'b'], detach: [] })
})

test('one with a zone of its own stays, those in its zone go', () => {
  expect(plan(domain('a', { zoneId: 'a' }), domain('b', { parentId: 'a', zoneId: 'a' }))).toEqual({
    remove: ['b'],
    detach: ['a']
  })
})

test.each([{ projectId: 'q' }, { projectId: null }])('one above a domain of %j stays', (values) => {
  const tree = [domain('a'), domain('b', { parentId: 'a' }), domain('c', { parentId: 'b', ...values }), domain('d')]
  expect(plan(...tree)).toEqual({ remove: ['d'], detach: ['a', 'b'] })
})
