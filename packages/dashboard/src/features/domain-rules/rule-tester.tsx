import { Button, Stack, TextInput } from '@mantine/core'
import { type DomainRuleTest, DomainRuleTestQuery } from '@panel/contract/domain-rules'
import { useState } from 'react'
import { z } from 'zod'
import type { Schema } from '../../api/client.ts'
import { useMessages } from '../../i18n/i18n.tsx'
import { Facts } from '../../ui/facts.tsx'
import formClasses from '../../ui/form/form.module.css'
import { useContractForm } from '../../ui/form/use-contract-form.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { domainRuleMessages } from './domain-rules.messages.ts'
import { testRules } from './domain-rules.queries.ts'
import classes from './domain-rules.module.css'

const TesterForm = z.object({
  url: DomainRuleTestQuery.shape.url,
  address: z
    .string()
    .transform((text) => (text.trim() === '' ? undefined : text.trim()))
    .pipe(DomainRuleTestQuery.shape.address)
})

/** Tests the saved rules. */
export function RuleTester({
  domain: { id, hostname, pathPrefix },
  isChanged
}: {
  domain: Schema<'Domain'>
  isChanged: boolean
}) {
  // oxfmt-ignore
  const t = useMessages(domainRuleMessages)
  const [result, setResult] = useState<DomainRuleTest>()
  const { form, submit, isPending, failure } = useContractForm({
    schema: TesterForm,
    initialValues: { url: `https://${hostname.replace('*', 'www')}${pathPrefix ?? '/'}`, address: '' },
    send: ({ url, address }) => testRules(id, { url, ...(address !== undefined && { address }) }),
    onSaved: setResult
  })
  const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, dir: 'ltr' } as const
  return (
    <Section title={t('test')} hint={t('test.hint')}>
      <form onSubmit={submit} noValidate className={formClasses.form} aria-label={t('test')}>
        <Stack gap="md">
          {isChanged && <Notice tone="info">{t('test.saved')}</Notice>}
          {failure !== undefined && <Notice tone="bad">{failure}</Notice>}
          <TextInput label={t('test.url')} {...plain} {...form.getInputProps('url')} />
          <TextInput
            label={t('test.address')}
            description={t('test.address.hint')}
            {...plain}
            {...form.getInputProps('address')}
          />
          <div>
            <Button type="submit" variant="default" loading={isPending}>
              {t('test.submit')}
            </Button>
          </div>
        </Stack>
      </form>
      <div role="status">{result && <Result result={result} />}</div>
    </Section>
  )
}

function Result({ result: { matches, status, location, path, headers } }: { result: DomainRuleTest }) {
  const t = useMessages(domainRuleMessages)
  const outcome = () => {
    if (status === null) return t('outcome.site', { path })
    if (location !== null) return t('effect.REDIRECT', { status, to: location })
    return isKnown(status) ? t(`outcome.${status}`) : String(status)
  }
  return (
    <div className={classes.result}>
      <Facts
        rows={[
          { name: t('test.outcome'), value: outcome() },
          {
            name: t('test.rules'),
            value:
              matches.length === 0 ? (
                t('test.none')
              ) : (
                <ol>
                  {matches.map(({ number, kind }) => (
                    <li key={number}>{t('test.rule', { number, kind: t(`kind.${kind}`) })}</li>
                  ))}
                </ol>
              )
          },
          ...(Object.keys(headers).length === 0
            ? []
            : [
                {
                  name: t('test.headers'),
                  value: (
                    <ul>
                      {Object.entries(headers).map(([name, value]) => (
                        <li key={name} dir="ltr">
                          {name}: {value}
                        </li>
                      ))}
                    </ul>
                  )
                }
              ])
        ]}
      />
    </div>
  )
}

const knownStatuses = [400, 401, 403, 503] as const
const isKnown = (status: number): status is (typeof knownStatuses)[number] =>
  (knownStatuses as readonly number[]).includes(status)
