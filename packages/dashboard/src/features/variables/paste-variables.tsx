import { Button, Checkbox, Group, Stack, Textarea } from '@mantine/core'
import { ImportEnv } from '@panel/contract/env-vars'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { ChangeList } from '../../ui/change-list.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { SentenceText } from '../../ui/sentence-text.tsx'
import { variableMessages } from './variables.messages.ts'
import { ChangesSummary } from './changes-summary.tsx'
import { type Holder, importVariables, variablesKey } from './variables.queries.ts'
import classes from './variables.module.css'

type Imported = Schema<'EnvVarsImported'>

interface PasteVariablesProps {
  holder: Holder
  onImported(keys: readonly string[]): void
}

export function PasteVariables({ holder, onImported }: PasteVariablesProps) {
  const t = useMessages(variableMessages)
  const client = useQueryClient()
  const [result, setResult] = useState<Imported>()
  const preview = result?.preview
  const { form, submit, isPending, failure } = useContractForm({
    schema: ImportEnv,
    initialValues: { content: '', overwrite: true },
    send: (body) => importVariables(holder, { ...body, dryRun: preview === undefined }),
    onSaved: (answer) => {
      setResult(answer)
      if (answer.preview) return
      form.reset()
      onImported(answer.variables.map(({ key }) => key))
      void client.invalidateQueries({ queryKey: variablesKey(holder) })
    }
  })
  return (
    <form onSubmit={submit} noValidate aria-label={t('paste')}>
      <Stack gap="md">
        {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
        {result && !preview && <Notice tone="ok">{t('pasted', { count: result.count })}</Notice>}
        {result && preview ? (
          <>
            <Preview result={result} preview={preview} />
            {result.changes && <ChangesSummary changes={result.changes} withKeys={false} />}
            <Group gap="xs">
              <Button
                type="submit"
                loading={isPending}
                disabled={preview.added.length + preview.replaced.length === 0}
                data-autofocus
              >
                {t('paste.submit')}
              </Button>
              <Button variant="default" disabled={isPending} onClick={() => setResult(undefined)}>
                {t('paste.back')}
              </Button>
            </Group>
          </>
        ) : (
          <>
            <Textarea
              label={t('paste.label')}
              rows={6}
              classNames={{ input: classes.file! }}
              autoComplete="off"
              spellCheck={false}
              dir="ltr"
              {...form.getInputProps('content')}
              key={form.key('content')}
            />
            <Checkbox
              label={t('paste.overwrite')}
              {...form.getInputProps('overwrite', { type: 'checkbox' })}
              key={form.key('overwrite')}
            />
            <div>
              <Button type="submit" variant="default" loading={isPending}>
                {t('paste.preview')}
              </Button>
            </div>
          </>
        )}
      </Stack>
    </form>
  )
}

const kinds = [
  { kind: 'added', tone: 'ok' },
  { kind: 'replaced', tone: 'warn' },
  { kind: 'kept', tone: 'idle' }
] as const

function Preview({ result, preview }: { result: Imported; preview: NonNullable<Imported['preview']> }) {
  const t = useMessages(variableMessages)
  const at = (line: number) => t('paste.line', { line })
  const { skipped } = result
  if ([...kinds.map(({ kind }) => preview[kind]), skipped].every(({ length }) => length === 0))
    return <p>{t('paste.empty')}</p>
  return (
    <ChangeList
      label={t('paste.preview.of')}
      changes={[
        ...kinds.map(({ kind, tone }) => ({
          name: t(`paste.${kind}`),
          tone,
          count: preview[kind].length,
          rows: preview[kind].map(({ key, line }) => ({ where: at(line), text: <Foreign>{key}</Foreign> }))
        })),
        {
          name: t('paste.skipped'),
          tone: 'bad' as const,
          count: skipped.length,
          rows: skipped.map(({ line, reason, sentences }) => ({
            where: at(line),
            text: (
              <SentenceText by={{ skipped: variableMessages }} sentences={sentences}>
                {reason}
              </SentenceText>
            )
          }))
        }
      ]}
    />
  )
}
