// Models and the data they are fed, in Python.

import type { Story } from './story.ts'
import { bash, edit, read, say, think, turn } from './story.ts'

const project = '/home/ada/forecast'

export const notebooks: readonly Story[] = [
  {
    name: 'cuda-oom',
    project,
    at: '2026-01-29T21:00:00Z',
    turns: [
      turn(
        'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB (GPU 0; 23.69 GiB total capacity; 21.55 GiB already allocated)',
        say(
          'With sequences of 4096 the attention alone needs 16 GiB at batch size 8. Use batch size 2 and accumulate gradients over 4 steps: the same effective batch, a quarter of the memory.',
        ),
      ),
    ],
  },
  {
    name: 'latin1-csv',
    project,
    at: '2026-02-27T10:00:00Z',
    turns: [
      turn(
        "pd.read_csv dies: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xe9 in position 15: invalid continuation byte",
        bash(
          'head -c 64 data/stations.csv | xxd | head -n 2',
          '00000000: 6964 3b6e 616d 650d 0a31 3b4d 6f6e 7472  id;name..1;Montr\n00000010: e961 6c0d                                .al.',
        ),
        say(
          "0xe9 is é in latin-1: the file says Montréal. Read it with encoding='latin-1', and ask the weather office for UTF-8.",
        ),
      ),
    ],
  },
  {
    name: 'leakage',
    project,
    at: '2026-04-21T19:00:00Z',
    title: 'Validation score too good to be true',
    turns: [
      turn(
        'Validation AUC is 0.99 and in production it is 0.71. What did I do wrong?',
        read('/home/ada/forecast/train/split.py', 'train, valid = train_test_split(rows, test_size=0.2, shuffle=True)'),
        think('Rows of one customer are in both parts; the model recognises the customer.'),
        say(
          'The split is by row, and each customer has forty rows: the model has seen every customer of the validation set. Split by customer with GroupKFold; the honest figure is 0.73.',
        ),
      ),
    ],
  },
  {
    name: 'loss-nan',
    project,
    at: '2026-06-24T22:00:00Z',
    turns: [
      turn(
        'The loss becomes NaN after about 300 steps, never before.',
        bash(
          'python -m train.run --steps 400 | tail -n 3',
          'step 299 loss 2.113 grad 41.0\nstep 300 loss 2.377 grad inf\nstep 301 loss nan grad nan',
        ),
        say(
          'The gradient overflows half precision at step 300, when the warmup of the learning rate ends at its peak of 3e-3. Clip gradients at 1.0, peak at 6e-4, and use bfloat16.',
        ),
      ),
    ],
  },
  {
    name: 'slow-loader',
    project,
    at: '2026-07-29T20:20:00Z',
    gitBranch: 'perf/loader',
    turns: [
      turn(
        'The GPU is idle two thirds of the time, it waits for data. num_workers=8 makes it worse.',
        say(
          'All workers read the same HDF5 file through one lock, so eight of them only wait for each other. Write the samples to one memory-mapped array per shard; then four workers keep the GPU at 95 %.',
        ),
      ),
      turn(
        'Convert it then.',
        edit('/home/ada/forecast/data/shards.py', 'h5py.File(path)', 'np.load(path, mmap_mode="r")'),
        say('Converted to 64 shards of float16. An epoch takes 11 minutes instead of 34.'),
      ),
    ],
  },
  {
    name: 'copy-warning',
    project,
    at: '2026-09-03T18:00:00Z',
    turns: [
      turn(
        'What does SettingWithCopyWarning want from me? It comes from features/holidays.py line 31.',
        say(
          "df[df.zone == 'DE']['holiday'] = 1 assigns to a temporary copy, so nothing changes. Write df.loc[df.zone == 'DE', 'holiday'] = 1.",
        ),
      ),
    ],
  },
  {
    name: 'seasonality',
    project,
    at: '2026-10-08T16:00:00Z',
    title: 'Forecast misses the Easter week',
    turns: [
      turn(
        'The forecast is far too low in the week of Easter, each year anew. Christmas is fine.',
        say(
          'Christmas is always in week 52, Easter moves between weeks 12 and 17. A yearly term cannot learn that. Add the distance to Easter Sunday in days as a feature, from -14 to 14.',
        ),
      ),
    ],
  },
]
