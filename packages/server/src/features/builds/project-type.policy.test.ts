import { expect, test } from 'vitest'
import { suggestedType } from './project-type.policy.ts'

test.each([
  [['Dockerfile', 'package.json'], 'DOCKERFILE'],
  [['package.json', 'requirements.txt', 'index.html'], 'NODEJS'],
  [['composer.json', 'package.json', 'artisan', 'public/index.php'], 'PHP'],
  [['composer.json', 'package.json'], 'NODEJS'],
  [['composer.json', 'src/a.php'], 'PHP'],
  [['index.php', 'index.html'], 'PHP'],
  [['pyproject.toml', 'index.html'], 'PYTHON'],
  [['index.html', 'tools.py'], 'STATIC'],
  [['main.py', 'README.md'], 'PYTHON'],
  [['about.html'], 'STATIC'],
  [['docs/Dockerfile', 'README.md'], 'NODEJS'],
  [[], 'NODEJS']
])('%j is %s', (files, type) => {
  expect(suggestedType(new Set(files))).toBe(type)
})
