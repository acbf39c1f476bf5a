import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Stack,
  Textarea,
  TextInput
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { type DomainRuleKind, redirectStatuses, responseHeaders } from '@panel/contract/domain-rules'
import { IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import type { Translate } from '../../i18n/messages.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import type english from './domain-rules.en.json'
import { uiMessages } from '../../ui/ui.messages.ts'
import { domainRuleMessages } from './domain-rules.messages.ts'
import { newUser, type RuleValues } from './rule-values.ts'
import classes from './domain-rules.module.css'

type RuleFormState = UseFormReturnType<RuleValues>

interface FieldsProps {
  form: RuleFormState
  savedUsers: readonly string[]
}

type Fields = (props: FieldsProps & { t: Translate<typeof english> }) => ReactNode

const bytesPerMegabyte = 1024 ** 2
const secondsPerDay = 86_400
const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, dir: 'ltr' } as const

/** Fields that only rules of this kind have. */
const fields: Record<DomainRuleKind, Fields> = {
  ACCESS: ({ form, t }) => (
    <>
      <NativeSelect
        label={t('mode')}
        data={(['ALLOW', 'DENY'] as const).map((value) => ({ value, label: t(`mode.${value}`) }))}
        key={form.key('mode')}
        {...form.getInputProps('mode')}
      />
      <Textarea
        label={t('networks')}
        description={t('networks.hint')}
        rows={3}
        {...plain}
        defaultValue={form.getValues().networks.join('\n')}
        onChange={({ currentTarget }) => form.setFieldValue('networks', entriesIn(currentTarget.value))}
        // An error of a list belongs to one of its entries.
        error={Object.entries(form.errors).find(([path]) => path.startsWith('networks'))?.[1]}
        data-path="networks"
      />
    </>
  ),
  MAINTENANCE: () => null,
  REDIRECT: ({ form, t }) => (
    <>
      <TextInput
        label={t('target')}
        description={t('target.hint')}
        {...plain}
        key={form.key('to')}
        {...form.getInputProps('to')}
      />
      <NativeSelect
        label={t('status')}
        data={redirectStatuses.map((status) => ({ value: String(status), label: t(`status.${status}`) }))}
        defaultValue={String(form.getValues().status)}
        onChange={({ currentTarget }) => form.setFieldValue('status', Number(currentTarget.value))}
        error={form.errors.status}
      />
    </>
  ),
  LOGIN: Users,
  REWRITE: ({ form, t }) => (
    <TextInput
      label={t('newPath')}
      description={t('newPath.hint')}
      {...plain}
      key={form.key('to')}
      {...form.getInputProps('to')}
    />
  ),
  MAX_BODY: ({ form, t }) => (
    <Scaled form={form} name="bytes" label={t('size')} per={bytesPerMegabyte} description={t('size.hint')} />
  ),
  TIMEOUT: ({ form, t }) => <Scaled form={form} name="seconds" label={t('seconds')} />,
  HEADER: ({ form, t }) => (
    <>
      <NativeSelect
        label={t('name')}
        data={[...responseHeaders]}
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <TextInput label={t('value')} {...plain} key={form.key('value')} {...form.getInputProps('value')} />
    </>
  ),
  HSTS: ({ form, t }) => (
    <>
      <Scaled form={form} name="maxAgeSeconds" label={t('days')} per={secondsPerDay} description={t('days.hint')} />
      {(['includeSubdomains', 'preload'] as const).map((name) => (
        <Checkbox
          key={form.key(name)}
          label={t(name)}
          description={t(`${name}.hint`)}
          {...form.getInputProps(name, { type: 'checkbox' })}
        />
      ))}
    </>
  )
}

export function RuleFields({ kind, ...props }: FieldsProps & { kind: DomainRuleKind }) {
  const t = useMessages(domainRuleMessages)
  const Of = fields[kind]
  return <Of t={t} {...props} />
}

interface ScaledProps {
  form: RuleFormState
  name: 'bytes' | 'seconds' | 'maxAgeSeconds'
  label: string
  description?: string
  /** What one of the field’s unit is in the rule’s unit. */
  per?: number
}

function Scaled({ form, name, label, description, per = 1 }: ScaledProps) {
  return (
    <NumberInput
      label={label}
      description={description}
      hideControls
      min={0}
      defaultValue={form.getValues()[name] / per}
      onChange={(value) => form.setFieldValue(name, value === '' ? NaN : Math.round(Number(value) * per))}
      error={form.errors[name]}
      data-path={name}
    />
  )
}

function Users({ form, savedUsers, t }: Parameters<Fields>[0]) {
  const ui = useMessages(uiMessages)
  const adding = useRef<HTMLButtonElement>(null)
  const { users } = form.getValues()
  const remove = (index: number) => {
    form.setFieldValue('users', users.toSpliced(index, 1))
    adding.current?.focus()
  }
  return (
    <>
      {/* Another key after each change of the list, since the inputs keep their own values. */}
      <Stack gap="xs" key={form.key('users')}>
        {users.map(({ username }, index) => {
          const number = index + 1
          return (
            <Group key={index} gap="xs" align="start" wrap="nowrap">
              <TextInput
                label={t('username', { number })}
                {...plain}
                {...form.getInputProps(`users.${index}.username`)}
              />
              <PasswordInput
                label={t('password', { number })}
                {...(savedUsers.includes(username) && { placeholder: t('password.kept') })}
                autoComplete="new-password"
                visibilityToggleButtonProps={{ 'aria-label': ui('password.show') }}
                flex={1}
                {...form.getInputProps(`users.${index}.password`)}
              />
              {users.length > 1 && (
                <div className={classes.remove}>
                  <IconButton label={t('user.remove', { number })} onClick={() => remove(index)}>
                    <IconTrash size={16} aria-hidden />
                  </IconButton>
                </div>
              )}
            </Group>
          )
        })}
      </Stack>
      <div>
        <Button
          ref={adding}
          size="xs"
          variant="default"
          onClick={() => form.setFieldValue('users', [...users, { ...newUser }])}
        >
          {t('user.add')}
        </Button>
      </div>
    </>
  )
}

const entriesIn = (text: string): string[] => text.split(/[\s,]+/).filter((entry) => entry !== '')
