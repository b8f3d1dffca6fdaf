/** Files that commands write. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { writeProfiles } from '../../bin/drawings.js'
import { assertReportable } from '../../bin/files.js'
import { readResults } from '../../harness/store/results.js'
import { temporaryFolder } from '../harness/temporary-folder.js'
import { profiledRun } from '../fuzz/inputs.js'

/** @param {import('node:test').TestContext} t */
function profiled (t) {
  const folder = temporaryFolder(t)
  const directory = path.join(folder, 'results')
  const file = profiledRun(directory)
  const victim = path.join(folder, 'victim.json')
  writeFileSync(victim, '{"kept": true}')
  return {
    folder,
    directory,
    victim,
    profiles: path.join(directory, 'profiles'),
    file,
    drawn: file.replace('.cpuprofile', '.heavy.txt')
  }
}

/** @param {string} directory */
const draw = directory => writeProfiles(readResults(directory))

test('drawings are written next to their profiles, and again over their own earlier versions', t => {
  const { directory, drawn } = profiled(t)
  for (let time = 0; time < 2; time++) {
    assert.equal(draw(directory).length, 2)
  }
  assert.match(readFileSync(drawn, 'utf8'), /^CPU profile of /)
})

for (const name of [
  '../../victim.json',
  '/etc/passwd',
  'a/../../../victim.json',
  '..',
  '.',
  '',
  '..\\victim.json',
  'victim.json',
  'a\0b.cpuprofile',
  '-o.cpuprofile'
]) {
  test(`a profile named ${JSON.stringify(name)} is refused where the results are read, and nothing is written`, t => {
    const { directory, victim } = profiled(t)
    const samples = path.join(directory, 'samples.jsonl')
    writeFileSync(
      samples,
      readFileSync(samples, 'utf8').replaceAll(/"files":\["[^"]+"\]/g, () => `"files":[${JSON.stringify(name)}]`)
    )
    assert.throws(() => draw(directory), { exitCode: 2, message: /samples\.jsonl:1: \/details\/files/ })
    assert.equal(readFileSync(victim, 'utf8'), '{"kept": true}')
  })
}

for (const { what, target, message } of [
  { what: 'a link out of the results directory', target: 'victim.json', message: /leads out of/ },
  {
    what: 'a link within the results directory',
    target: 'results/profiles/notes.txt',
    message: /was not written by timerq/
  },
  { what: 'a link that leads nowhere yet', target: 'made.txt', message: /./ },
  { what: 'a file that timerq did not write', target: null, message: /was not written by timerq, and is left as it is/ }
]) {
  test(`${what} in the place of a drawing is neither followed nor replaced`, t => {
    const { folder, directory, drawn } = profiled(t)
    const file = target === null ? drawn : path.join(folder, target)
    if (target !== 'made.txt') writeFileSync(file, 'mine')
    if (target !== null) symlinkSync(file, drawn)
    assert.throws(() => draw(directory), { exitCode: 2, message })
    if (target === 'made.txt') assert.ok(!existsSync(file))
    else assert.equal(readFileSync(file, 'utf8'), 'mine')
  })
}

test('a second name of a file elsewhere is replaced, the file is not', t => {
  const { folder, directory, drawn } = profiled(t)
  const elsewhere = path.join(folder, 'elsewhere.txt')
  writeFileSync(elsewhere, 'CPU profile of an older run')
  linkSync(elsewhere, drawn)
  draw(directory)
  assert.match(readFileSync(elsewhere, 'utf8'), /an older run/)
})

test('profiles in a folder that is a link out of the results directory are neither read nor written', t => {
  const { folder, directory, profiles } = profiled(t)
  renameSync(profiles, path.join(folder, 'elsewhere'))
  symlinkSync(path.join(folder, 'elsewhere'), profiles)
  assert.throws(() => draw(directory), { exitCode: 2, message: /leads out of/ })
})

test('a results directory that is reached by a link is one nevertheless', t => {
  const { folder, directory } = profiled(t)
  symlinkSync(directory, path.join(folder, 'link'))
  assert.equal(draw(path.join(folder, 'link')).length, 2)
})

test('whether a file can be written is found out beforehand, and leaves none behind', t => {
  const folder = temporaryFolder(t)
  const [kept, fresh] = ['kept.xml', 'fresh.xml'].map(name => path.join(folder, name))
  writeFileSync(kept, 'as it was')
  for (const file of [kept, fresh, path.join(folder, 'deep/er/fresh.xml'), '/dev/null']) assertReportable(file)
  assert.equal(readFileSync(kept, 'utf8'), 'as it was')
  assert.deepEqual([readdirSync(folder).sort(), readdirSync(path.join(folder, 'deep/er'))], [['deep', 'kept.xml'], []])

  mkdirSync(path.join(folder, 'folder'))
  for (const file of [path.join(folder, 'folder'), path.join(kept, 'x.xml'), '/dev/null/x.xml']) {
    assert.throws(() => assertReportable(file), {
      exitCode: 2,
      message: new RegExp(`^cannot write ${file}: .*; choose another file$`)
    })
  }
})
