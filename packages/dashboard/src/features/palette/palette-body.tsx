import { IconArrowRight, IconBolt, IconDatabase, IconMail, IconSearch, IconStack2, IconUser, IconWorld } from '@tabler/icons-react' // oxfmt-ignore
import { type KeyboardEvent, useId, useState } from 'react'
import { useMessages } from '../../i18n/i18n.tsx'
import { Foreign } from '../../ui/foreign.tsx'
import type { Command, Group } from './command.ts'
import { paletteMessages } from './palette.messages.ts'
import classes from './palette.module.css'
import { type PaletteFacts, useCommands } from './use-commands.ts'

const icons: Record<Group, typeof IconBolt> = {
  acts: IconBolt,
  pages: IconArrowRight,
  project: IconStack2,
  domain: IconWorld,
  database: IconDatabase,
  mailbox: IconMail,
  user: IconUser
}

export function PaletteBody({ onChoose, ...facts }: PaletteFacts & { onChoose(command: Command): void }) {
  const t = useMessages(paletteMessages)
  const list = useId()
  const [text, setText] = useState('')
  const [selectedId, setSelectedId] = useState<string>()
  const { commands, isSearching, isUnavailable } = useCommands(text, facts)
  // Selected by id, so that later search results do not move the selection.
  const active = commands.find(({ id }) => id === selectedId) ?? commands[0]
  const optionId = (command: Command) => `${list}-${commands.indexOf(command)}`
  const move = (step: number) => {
    const at = active === undefined ? 0 : commands.indexOf(active)
    const next = commands[(at + step + commands.length) % Math.max(1, commands.length)]
    setSelectedId(next?.id)
    if (next) document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      move(step)
    } else if (event.key === 'Enter' && active && !event.nativeEvent.isComposing) {
      event.preventDefault()
      onChoose(active)
    }
  }
  return (
    <>
      <div className={classes.field}>
        <IconSearch size={18} aria-hidden />
        <input
          data-autofocus
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-activedescendant={active && optionId(active)}
          aria-autocomplete="list"
          aria-label={t('title')}
          placeholder={t('placeholder')}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setSelectedId(undefined)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div id={list} role="listbox" aria-label={t('title')} className={classes.list}>
        {grouped(commands).map(([group, members]) => (
          <div key={group} role="group" aria-label={t(`group.${group}`)}>
            <div className={classes.group} aria-hidden="true">
              {t(`group.${group}`)}
            </div>
            {members.map((command) => (
              <Option
                key={command.id}
                id={optionId(command)}
                command={command}
                isActive={command === active}
                onPoint={() => setSelectedId(command.id)}
                onChoose={() => onChoose(command)}
              />
            ))}
          </div>
        ))}
      </div>
      <p role="status" className={commands.length === 0 || isUnavailable ? classes.status : 'vh'}>
        {isUnavailable
          ? t('failed')
          : isSearching
            ? t('searching')
            : commands.length === 0
              ? t('none')
              : t('count', { count: commands.length })}
      </p>
    </>
  )
}

function grouped(commands: readonly Command[]): [Group, Command[]][] {
  const groups = new Map<Group, Command[]>()
  for (const command of commands) groups.set(command.group, [...(groups.get(command.group) ?? []), command])
  return [...groups]
}

interface OptionProps {
  id: string
  command: Command
  isActive: boolean
  onPoint(): void
  onChoose(): void
}

function Option({ id, command: { group, label, hint }, isActive, onPoint, onChoose }: OptionProps) {
  const Glyph = icons[group]
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      className={classes.option}
      onPointerMove={isActive ? undefined : onPoint}
      onClick={onChoose}
    >
      <Glyph size={16} stroke={1.6} aria-hidden />
      <Foreign className={classes.label}>{label}</Foreign>
      {hint !== undefined && <small>{hint}</small>}
    </div>
  )
}
