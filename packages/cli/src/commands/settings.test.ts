import { expect, test } from 'vitest'
import { UsageError } from '../context.ts'
import { readSettings } from './settings.ts'

const before = { buildArgs: { A: '1', B: '2' } }

test.each([
  [['rootDirectory=apps/web', 'port=3000'], { rootDirectory: 'apps/web', port: 3000 }],
  [['releaseCmd=', 'port='], { releaseCmd: null, port: null }],
  [['size=large'], { size: { memoryMb: 1024, cpus: 2, pids: 512, diskMb: null } }],
  [['size=768,1.5'], { size: { memoryMb: 768, cpus: 1.5, pids: 256, diskMb: null } }],
  [['size=768,1.5,256,4096'], { size: { memoryMb: 768, cpus: 1.5, pids: 256, diskMb: 4096 } }],
  [['size='], { size: null }],
  [['health=/health,204'], { health: { path: '/health', status: 204 } }],
  [['health=port'], { health: { path: null } }],
  [['health='], { health: null }],
  [['instances=3', 'stickySessions=true'], { instances: 3, stickySessions: true }],
  [['restartWhenHung=false'], { restartWhenHung: false }],
  [['restartWhenHung='], { restartWhenHung: true }],
  [['sleepAfterMinutes=30'], { sleepAfterMinutes: 30 }],
  [['sleepAfterMinutes='], { sleepAfterMinutes: null }],
  [['instances='], { instances: 1 }],
  [['keepsFiles=false', 'machineLabels=region=eu,ssd'], { keepsFiles: false, machineLabels: ['region=eu', 'ssd'] }],
  [['keepsFiles=', 'machineLabels='], { keepsFiles: true, machineLabels: [] }],
  [['pageCache=true'], { pageCache: true }],
  [['startCmd=X=1 node a'], { startCmd: 'X=1 node a' }],
  [['buildArgs.B=', 'buildArgs.C=x=y'], { buildArgs: { A: '1', C: 'x=y' } }]
])('%j', (words, settings) => {
  expect(readSettings(words, before)).toEqual(settings)
})

test.each(['rootDirectory', '=x', 'name=x', 'constructor=x', 'size=huge', 'health=up'])('%s is refused', (word) => {
  expect(() => readSettings([word], before)).toThrow(UsageError)
})
