// Part of `npm run check:lint`: fails for a product folder that no area of end-to-end tests covers (e2e/areas.json).
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { areaProblems, readAreas } from '../packages/server/src/cli/testing/areas.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const problems = areaProblems(root, readAreas(root))
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
