import { expect, test } from 'vitest'
import type { DetectionNote } from './build-plan.ts'
import { detectionLines } from './detection.render.ts'

test.each<[DetectionNote, string]>([
  [
    { code: 'SEVERAL_LOCK_FILES', values: { files: 'pnpm-lock.yaml, yarn.lock', used: 'pnpm-lock.yaml' } },
    'There are several lock files (pnpm-lock.yaml, yarn.lock); pnpm-lock.yaml is used.'
  ],
  [
    { code: 'OTHER_VERSION', values: { language: 'Node.js', wanted: '^18.2', version: '20' } },
    'The project asks for Node.js ^18.2, which this server does not have; 20 is used. An administrator can make others available.'
  ],
  [{ code: 'HEALTHCHECK_NOT_USED' }, 'HEALTHCHECK is not used: the panel probes the site over HTTP instead.']
])('a log has the note of %j in English', (note, line) => {
  const found = { description: 'a static site', detected: {}, notes: [note], port: undefined }
  expect(detectionLines(found, [])).toContain(`Note: ${line}\n`)
})
