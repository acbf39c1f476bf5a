import { describe, expect, test } from 'vitest'
import { createDumpSession } from './dump-session.policy.ts'

function run(...statements: string[]) {
  const session = createDumpSession()
  return statements.map((statement) => session.set(`SET ${statement}`))
}

describe('SET statements of dumps', () => {
  test.each([
    ['mysqldump', [
      ['@OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT', ''],
      ['NAMES utf8', 'SET NAMES utf8'],
      ['@OLD_TIME_ZONE=@@TIME_ZONE', ''],
      ["TIME_ZONE='+00:00'", "SET time_zone='+00:00'"],
      ['@OLD_UNIQUE_CHECKS=@@UNIQUE_CHECKS, UNIQUE_CHECKS=0', 'SET unique_checks=0'],
      ["@OLD_SQL_MODE=@@SQL_MODE, SQL_MODE='NO_AUTO_VALUE_ON_ZERO'", 'SET sql_mode=NO_AUTO_VALUE_ON_ZERO'],
      ['@OLD_NOTE_VERBOSITY=@@NOTE_VERBOSITY, NOTE_VERBOSITY=0', ''],
      ['@MYSQLDUMP_TEMP_LOG_BIN = @@SESSION.SQL_LOG_BIN', ''],
      ['@@SESSION.SQL_LOG_BIN= 0', ''],
      ["@@GLOBAL.GTID_PURGED= ''", ''],
      ['@saved_cs_client     = @@character_set_client', ''],
      ['character_set_client = utf8mb4', 'SET character_set_client=utf8mb4'],
      ['character_set_client = @saved_cs_client', 'SET character_set_client=utf8'],
      ['TIME_ZONE=@OLD_TIME_ZONE', ''],
      ['SQL_MODE=@OLD_SQL_MODE', 'SET sql_mode=no_auto_value_on_zero'],
      ['UNIQUE_CHECKS=@OLD_UNIQUE_CHECKS', 'SET unique_checks=0'],
      ['CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT', 'SET character_set_client=utf8mb4']
    ]],
    ['phpMyAdmin', [
      ['SQL_MODE = "NO_AUTO_VALUE_ON_ZERO"', 'SET sql_mode=NO_AUTO_VALUE_ON_ZERO'],
      ['AUTOCOMMIT = 0', 'SET autocommit=0'],
      ['time_zone = "+00:00"', "SET time_zone='+00:00'"],
      ['FOREIGN_KEY_CHECKS=1', 'SET foreign_key_checks=1']
    ]],
    ['HeidiSQL', [
      ["SQL_MODE=IFNULL(@OLD_SQL_MODE, '')", "SET sql_mode=''"],
      ['FOREIGN_KEY_CHECKS=IFNULL(@OLD_FOREIGN_KEY_CHECKS, 1)', 'SET foreign_key_checks=1']
    ]],
    ['others', [
      ["NAMES 'utf8mb4' COLLATE 'utf8mb4_0900_ai_ci'", 'SET NAMES utf8mb4 COLLATE utf8mb4_unicode_520_ci'],
      ['CHARACTER SET latin1', 'SET CHARACTER SET latin1'],
      ["SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE'", "SET sql_mode='STRICT_TRANS_TABLES,NO_ZERO_DATE'"],
      ["@@session.time_zone := 'Europe/Berlin'", "SET time_zone='Europe/Berlin'"],
      ['character_set_results = NULL', 'SET character_set_results=NULL'],
      ['GLOBAL max_allowed_packet=1', '']
    ]]
  ])('%s', (_name, cases) => expect(run(...cases.map(([statement]) => statement!))).toEqual(cases.map(([, sql]) => sql))) // oxfmt-ignore
})

test.each([
  ['STATEMENT max_statement_time=0 FOR CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET @a=1'],
  ['NAMES gbk'],
  ['NAMES sjis'],
  ['CHARACTER SET big5'],
  ['NAMES utf8 COLLATE gbk_bin'],
  ['character_set_client=gbk'],
  ['collation_connection=gbk_chinese_ci'],
  ["sql_mode='NO_BACKSLASH_ESCAPES'"],
  ["sql_mode='NO_ZERO_DATE,ANSI_QUOTES'"],
  ['sql_mode=ORACLE'],
  ['sql_mode=1048576'],
  ["sql_mode=concat('NO_BACKSLASH','_ESCAPES')"],
  ['sql_mode=(select 1)'],
  ["@a=(select 1), sql_mode=''"],
  ["PASSWORD = 'x'"],
  ['ROLE admin'],
  ['TRANSACTION ISOLATION LEVEL READ COMMITTED'],
  ['secure_file_priv=1'],
  ["foreign_key_checks=0, sql_mode='ANSI'"],
  ["time_zone='a\\'b'"]
])('rejects %s', (statement) => expect(run(statement)).toEqual([undefined]))

test('validates a saved variable when it is used', () => {
  expect(run("@OLD_SQL_MODE='NO_BACKSLASH_ESCAPES'", 'SQL_MODE=@OLD_SQL_MODE')).toEqual(['', undefined])
})

test('never reads variables from the server, where rows could have changed them', () => {
  expect(run('@OLD_SQL_MODE=@@SQL_MODE', "SQL_MODE=''", 'SQL_MODE=@OLD_SQL_MODE').join()).not.toContain('@')
})

test('rejects an endless statement in linear time', () => {
  const blanks = ' '.repeat(1e6)
  expect(run(`@a=1${blanks}x`, `sql_mode=IFNULL(@a${blanks}`, `NAMES${blanks}!`)).toEqual([undefined, undefined, undefined]) // oxfmt-ignore
})
