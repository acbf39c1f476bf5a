import { expect, test } from 'vitest'
import { deploymentStatuses, deploymentTriggers } from '@panel/contract/deployments'
import { queueOf, sourcesOf } from './deployment.machine.ts'

test.each([
  ['QUEUED', []],
  ['BUILDING', ['QUEUED']],
  ['DEPLOYING', ['QUEUED', 'BUILDING']],
  ['RUNNING', ['DEPLOYING']],
  ['FAILED', ['QUEUED', 'BUILDING', 'DEPLOYING']],
  ['CANCELLED', ['QUEUED', 'BUILDING', 'DEPLOYING']]
] as const)('%s is reached from %j', (target, sources) => expect(sourcesOf(target)).toEqual(sources))

test('final states never change', () => {
  const sources = new Set(deploymentStatuses.flatMap(sourcesOf))
  expect([...sources].sort()).toEqual(['BUILDING', 'DEPLOYING', 'QUEUED'])
})

test('every trigger has a queue', () => {
  expect(deploymentTriggers.map((trigger) => [trigger, queueOf(trigger)])).toEqual([
    ['MANUAL', 'build'],
    ['WEBHOOK', 'build'],
    ['DEPLOY', 'image'],
    ['ROLLBACK', 'image'],
    ['UPLOAD', 'build'],
    ['SNAPSHOT', 'build']
  ])
})
