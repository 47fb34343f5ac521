// Clusters, pipelines and what runs on them.

import type { Story } from './story.ts'
import { agent, bash, edit, read, say, turn, write } from './story.ts'

const project = '/home/ada/infra'

export const infra: readonly Story[] = [
  {
    name: 'oom-killed',
    project,
    at: '2026-01-15T09:00:00Z',
    title: 'Search pods are OOMKilled',
    turns: [
      turn(
        'The search pods restart every few hours. kubectl describe says OOMKilled, exit code 137. The heap is at 2 GB, the limit at 4 GB, so why?',
        bash(
          'kubectl -n search describe pod search-7c9f | grep -A4 "Last State"',
          '    Last State:     Terminated\n      Reason:       OOMKilled\n      Exit Code:    137',
        ),
        agent(
          'Look at memory outside the heap',
          'Find out which memory of the search service is not Java heap: metaspace, direct buffers, threads. Use the metrics of the last day.',
          bash(
            "promtool query instant http://prometheus 'jvm_buffer_memory_used_bytes'",
            '{id="direct"} 1.9e9\n{id="mapped"} 3.1e8',
          ),
          say(
            'Direct buffers take 1.9 GB, mapped files 310 MB. Netty allocates direct memory up to the size of the heap unless MaxDirectMemorySize says otherwise.',
          ),
        ),
        say(
          'Netty takes another 1.9 GB of direct buffers besides the heap. Set -XX:MaxDirectMemorySize=512m, and -XX:MaxRAMPercentage=50 instead of a fixed heap.',
        ),
      ),
    ],
  },
  {
    name: 'state-lock',
    project,
    at: '2026-02-25T15:30:00Z',
    turns: [
      turn(
        'terraform apply says: Error acquiring the state lock. ConditionalCheckFailedException: The conditional request failed. Lock Info: ID: 6c1a9f0e-2b77-4c1d-9a34-d2f1b0a4e55c. Nobody else is working on it.',
        say(
          'A pipeline that was cancelled at 15:12 still holds it. Make sure that nothing is running, then terraform force-unlock 6c1a9f0e-2b77-4c1d-9a34-d2f1b0a4e55c.',
        ),
        bash(
          'terraform force-unlock -force 6c1a9f0e-2b77-4c1d-9a34-d2f1b0a4e55c',
          'Terraform state has been successfully unlocked!',
        ),
      ),
    ],
  },
  {
    name: 'ndots',
    project,
    at: '2026-03-18T10:10:00Z',
    title: 'Slow name lookups in the cluster',
    turns: [
      turn(
        'Each call to an outside API takes five milliseconds longer from inside the cluster than from my laptop.',
        bash(
          'kubectl exec deploy/api -- cat /etc/resolv.conf',
          'search default.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5',
        ),
        say(
          'ndots:5 makes the resolver try four names inside the cluster before the real one. Write the host with a dot at its end, or set dnsConfig with ndots 2 for that deployment.',
        ),
      ),
    ],
  },
  {
    name: 'cert-expired',
    project,
    at: '2026-04-30T06:50:00Z',
    turns: [
      turn(
        'Everything is down since six: x509: certificate has expired or is not yet valid: current time 2026-04-30T06:41:12Z is after 2026-04-30T06:00:00Z',
        bash(
          'kubectl get certificate -A',
          'NAMESPACE   NAME       READY   SECRET         AGE\ningress     wildcard   False   wildcard-tls   364d',
        ),
        say(
          'cert-manager could not renew the wildcard certificate: the token for the DNS challenge was revoked in March. I made a new token, and the certificate was issued at 06:58.',
        ),
      ),
      turn(
        'We need an alert for that, three weeks ahead.',
        write(
          '/home/ada/infra/alerts/certificates.yaml',
          'alert: CertificateExpiresSoon\nexpr: certmanager_certificate_expiration_timestamp_seconds - time() < 21 * 86400',
        ),
        say('alerts/certificates.yaml warns 21 days before a certificate expires.'),
      ),
    ],
  },
  {
    name: 'runner-disk',
    project,
    at: '2026-05-27T12:00:00Z',
    turns: [
      turn(
        'The self-hosted runners fail with ENOSPC: no space left on device, write. All jobs, since lunch.',
        bash(
          'df -h / && docker system df',
          'Filesystem  Size  Used Avail Use% Mounted on\n/dev/nvme0n1p1  200G  200G   20K 100% /\nTYPE         SIZE    RECLAIMABLE\nBuild Cache  151GB   149GB',
        ),
        bash('docker builder prune -af --filter until=72h', 'Total reclaimed space: 147.2GB'),
        say(
          'The build cache of docker had grown to 151 GB. I pruned what was older than three days and put the same command into a timer, every night at three.',
        ),
      ),
    ],
  },
  {
    name: 'nginx-413',
    project,
    at: '2026-06-09T14:44:00Z',
    turns: [
      turn(
        'Uploads above one megabyte fail with 413 Request Entity Too Large, but only on staging.',
        edit(
          '/home/ada/infra/charts/web/values-staging.yaml',
          'annotations: {}',
          'annotations:\n  nginx.ingress.kubernetes.io/proxy-body-size: 25m',
        ),
        say(
          'Production has the annotation nginx.ingress.kubernetes.io/proxy-body-size, staging never got it. Both say 25m now.',
        ),
      ),
    ],
  },
  {
    name: 'nat-bill',
    project,
    at: '2026-07-21T08:30:00Z',
    title: 'Why the NAT gateway costs 900 euros',
    turns: [
      turn(
        'The NAT gateway is 900 euros this month, it was 200. What is sending all that?',
        bash(
          'python scripts/flow_logs.py --top 3',
          '10.2.14.7 -> s3.eu-central-1  18.4 TB\n10.2.14.9 -> ghcr.io  0.9 TB',
        ),
        say(
          'The nightly backup sends 18 TB to S3 through the NAT gateway. A gateway endpoint for S3 is free and takes it off; I added aws_vpc_endpoint.s3 to network.tf.',
        ),
      ),
    ],
  },
  {
    name: 'pg-upgrade',
    project,
    at: '2026-08-24T18:00:00Z',
    gitBranch: 'chore/postgres-16',
    title: 'PostgreSQL 14 to 16',
    turns: [
      turn(
        'We move PostgreSQL from 14 to 16 next week. Write down the steps and what can go wrong.',
        say(
          'Steps: 1. dump the roles, 2. pg_upgrade --check, 3. stop the writers, 4. pg_upgrade --link, 5. vacuumdb --analyze-in-stages. What can go wrong: extensions that do not exist for 16, and replication slots, which pg_upgrade does not carry over.',
        ),
      ),
      turn(
        'Do the rehearsal on the copy.',
        bash(
          'pg_upgrade --check -b /usr/lib/postgresql/14/bin -B /usr/lib/postgresql/16/bin',
          'Checking for presence of required libraries      fatal\n\nYour installation references loadable libraries that are missing from the new installation: $libdir/timescaledb-2.9',
          true,
        ),
        say(
          'timescaledb has to be upgraded inside 14 first: ALTER EXTENSION timescaledb UPDATE, then the check passes.',
        ),
      ),
      {
        recap:
          'The user is moving PostgreSQL from 14 to 16. Steps: dump the roles, pg_upgrade --check, stop the writers, pg_upgrade --link, vacuumdb --analyze-in-stages. timescaledb must be upgraded first. Replication slots are not carried over by pg_upgrade.',
        prompt: 'The disk of the primary filled up over night. What is eating it?',
        steps: [
          bash(
            "psql -c 'select slot_name, active, pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)) from pg_replication_slots'",
            ' slot_name | active | pg_size_pretty\n-----------+--------+----------------\n debezium  | f      | 412 GB',
          ),
          say(
            'An inactive replication slot of debezium holds back 412 GB of WAL. I dropped it, and set max_slot_wal_keep_size to 50GB so that this cannot happen again.',
          ),
        ],
      },
    ],
  },
  {
    name: 'cron-twice',
    project,
    at: '2026-10-26T08:00:00Z',
    turns: [
      turn(
        'The settlement job ran twice on Sunday night. 02:30 existed twice because of the end of summer time.',
        read('/home/ada/infra/charts/jobs/settlement.yaml', 'schedule: "30 2 * * *"\ntimeZone: Europe/Berlin'),
        say(
          'With timeZone Europe/Berlin 02:30 comes twice on that night, and not at all in March. Schedule it at 04:30, or in UTC.',
        ),
      ),
    ],
  },
  {
    name: 'helm-rollback',
    project,
    at: '2026-10-30T17:00:00Z',
    model: 'claude-sonnet-5',
    turns: [
      turn(
        'helm upgrade hangs: Error: UPGRADE FAILED: another operation (install/upgrade/rollback) is in progress',
        bash(
          'helm -n web history web --max 3',
          'REVISION  STATUS           DESCRIPTION\n41        deployed         Upgrade complete\n42        pending-upgrade  Preparing upgrade',
        ),
        bash('helm -n web rollback web 41 --wait', 'Rollback was a success! Happy Helming!'),
        say(
          'Revision 42 was left in pending-upgrade when the runner died. After the rollback to 41 the next upgrade went through as 44.',
        ),
      ),
    ],
  },
]
