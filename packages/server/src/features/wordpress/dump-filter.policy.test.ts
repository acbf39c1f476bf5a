import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createDumpFilter } from './dump-filter.policy.ts'

function filter(dump: string, pieces = [dump]) {
  const dumpFilter = createDumpFilter()
  const output = pieces.map((piece) => dumpFilter.write(piece)).join('') + dumpFilter.write('', true)
  return { output, leftOut: Object.fromEntries(dumpFilter.leftOut) }
}
const statements = (dump: string) =>
  filter(dump)
    .output.split(/;(?=\s|$)/)
    .map((statement) => statement.trim().replace(/\s+/g, ' '))
    .filter((statement) => statement !== '')

describe('loaded statements', () => {
  test.each([
    ['rows', `INSERT INTO t VALUES (1,'a;b''c\\'d');`, [`INSERT INTO t VALUES (1,'a;b''c\\'d')`]],
    ['the first line of MariaDB', '/*!999999\\- enable the sandbox mode */ \n-- MariaDB dump\nDROP TABLE IF EXISTS `t`;', ['DROP TABLE IF EXISTS `t`']], // oxfmt-ignore
    ['version comments', "/*!40101 SET NAMES utf8mb4 */;\n/*!40000 ALTER TABLE `t` DISABLE KEYS */;", ['SET NAMES utf8mb4', 'ALTER TABLE `t` DISABLE KEYS']], // oxfmt-ignore
    ['version comments for MySQL 8', '/*!80000 SET SESSION information_schema_stats_expiry=0 */;\nCREATE TABLE t (a int) /*!80016 DEFAULT ENCRYPTION=\'N\' */;', ['CREATE TABLE t (a int)']], // oxfmt-ignore
    ['CREATE DATABASE and USE', 'CREATE DATABASE /*!32312 IF NOT EXISTS*/ `old` /*!40100 DEFAULT CHARACTER SET utf8 */;\nUSE `old`;\nINSERT INTO t VALUES (1);', ['INSERT INTO t VALUES (1)']], // oxfmt-ignore
    ['collations', 'CREATE TABLE t (a text COLLATE utf8mb4_0900_ai_ci) COLLATE=utf8mb4_de_pb_0900_as_cs;', ['CREATE TABLE t (a text COLLATE utf8mb4_unicode_520_ci) COLLATE=utf8mb4_unicode_520_ci']], // oxfmt-ignore
    ['collations in rows are text', "INSERT INTO t VALUES ('utf8mb4_0900_ai_ci');", ["INSERT INTO t VALUES ('utf8mb4_0900_ai_ci')"]], // oxfmt-ignore
    ['replication', 'SET @@GLOBAL.GTID_PURGED=/*!80000 \'+\'*/ \'\';\nSET @@SESSION.SQL_LOG_BIN= 0;\nSET @a = 1;', []], // oxfmt-ignore
    ['comments', '# one\n-- two; three\n--\nINSERT /* ; */ INTO t VALUES (1); -- four', ['INSERT INTO t VALUES (1)']],
    ['a semicolon in a name', 'DROP TABLE `a;b`;', ['DROP TABLE `a;b`']],
    ['no semicolon at the end', 'INSERT INTO t VALUES (1)', ['INSERT INTO t VALUES (1)']],
    ['one in lower case', 'insert into t values (1);', ['insert into t values (1)']],
    ['nothing', ' ;\n;; ', []]
  ])('%s', (_name, dump, expected) => expect(statements(dump)).toEqual(expected))
})

const trigger = `DELIMITER ;;
/*!50003 CREATE*/ /*!50017 DEFINER=\`root\`@\`localhost\`*/ /*!50003 TRIGGER \`x\` BEFORE INSERT ON \`t\` FOR EACH ROW BEGIN
  SET NEW.a = 'x;;';
  DELETE FROM t;
END */;;
DELIMITER ;
INSERT INTO t VALUES (2);`

test('skips and counts triggers, views, routines and events', () => {
  const dump = `${trigger}
/*!50001 CREATE ALGORITHM=UNDEFINED */
/*!50013 DEFINER=\`root\`@\`localhost\` SQL SECURITY DEFINER */
/*!50001 VIEW \`v\` AS select 1 AS \`a\` */;
CREATE DEFINER=\`root\`@\`%\` FUNCTION f() RETURNS int RETURN 1;
CREATE DEFINER=CURRENT_USER EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM t;`
  const { output, leftOut } = filter(dump)
  expect(output.trim()).toBe('INSERT INTO t VALUES (2);')
  expect(leftOut).toEqual({ trigger: 1, view: 1, routine: 1, event: 1 })
})

describe('rejected dumps', () => {
  test.each([
    ['\\! touch /tmp/p\n', /backslash.*line 1/],
    ['INSERT INTO t VALUES (1);\n\n\\. /etc/passwd\n', /backslash.*line 3/],
    ['system id;\n', /SYSTEM ID/],
    ['source /etc/passwd;\n', /SOURCE ETC PASSWD/],
    ['tee /tmp/p;\n', /TEE/],
    ["LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t;", /LOAD DATA/],
    ["GRANT ALL ON *.* TO 'x'@'%';", /GRANT/],
    ["CREATE USER 'x'@'%';", /CREATE USER/],
    ['USE a;\nINSERT INTO t VALUES (1);\nUSE b;', /several databases \(a, b\)/],
    ["INSERT INTO t VALUES ('a", /middle of a string/],
    ["CREATE TABLE t (a int) DATA DIRECTORY='/tmp';", /location of a table on disk/],
    ['DELIMITER $$\nDROP TABLE a; DROP TABLE b$$', /compound statement/],
    ["INSTALL SONAME 'x';", /INSTALL/],
    ["PREPARE s FROM 'DROP TABLE t';", /PREPARE/],
    ['<html>not a dump', /HTML/],
    [
      'SET STATEMENT max_statement_time=0 FOR CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW DO 1;',
      /it sets an option.*SET STATEMENT/
    ],
    ["SET NAMES gbk; INSERT INTO t VALUES ('\xbf\\'); CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW SET NEW.a = 1; -- ');", /it sets an option.*SET NAMES gbk/], // oxfmt-ignore
    ["SET sql_mode='NO_BACKSLASH_ESCAPES'; INSERT INTO t VALUES ('\\'); CREATE TRIGGER x BEFORE INSERT ON t; -- ');", /it sets an option/], // oxfmt-ignore
    ['BEGIN NOT ATOMIC DROP TABLE t', /BEGIN NOT ATOMIC/]
  ])('%j', (dump, message) => expect(() => filter(dump)).toThrow(message))
})

describe('reads an adversarial dump in linear time', () => {
  const inPieces = (dump: string) => dump.match(/[^]{1,65536}/g)!
  const many = (text: string) => text.repeat(6e5 / text.length)
  test.each([
    ['empty identifiers', `CREATE ${many('`-` ')}VIEW v;`, ''],
    ['texts', `DROP VIEW ${many("''")};`, ''],
    ['blanks', `CREATE ${many(' ( ')}VIEW v;`, ''],
    ['blanks between statements', `${many(' #\n')};`, ''],
    ['texts before another delimiter', `DELIMITER $$\nDROP VIEW ${many("'' ")}$$`, ''],
    ['many statements', many('CREATE VIEW v;'), '']
  ])('%s', (_name, dump, expected) => expect(filter(dump, inPieces(dump)).output.trim()).toBe(expected))

  test('rejects an endless word', () => {
    expect(() => filter('', inPieces(`CREATE ${many('x')}`))).toThrow(/a word that is too long/)
  })
})

test('the output does not depend on chunk boundaries', () => {
  const dump = `/*!999999\\- enable the sandbox mode */ \n${trigger}\n/*!40101 SET NAMES utf8 */;\n-- x;\nCREATE TABLE \`t\` (a int /* b */);
INSERT INTO \`t\` VALUES ('a\\\\','b\\';',"c''",'--','/*');\nUSE \`a\`;\nDROP TABLE t; # end`
  const whole = filter(dump)
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: dump.length })), (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), dump.length]
      const pieces = edges.slice(1).map((edge, index) => dump.slice(edges[index], edge))
      expect(filter(dump, pieces)).toEqual(whole)
    })
  )
})

test('preserves line breaks, so that errors name the right line', () => {
  const dump = `-- a\n/* b\nc */\nUSE x;\n${trigger}\nDROP TABLE\nt;\nINSERT INTO t VALUES ('a\nb');\nDROP TABLE u;`
  const lineOf = (text: string, searchTerm: string) => text.slice(0, text.indexOf(searchTerm)).split('\n').length
  expect(lineOf(filter(dump).output, 'TABLE u')).toBe(lineOf(dump, 'TABLE u'))
})
