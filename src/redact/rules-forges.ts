// Where code and packages are kept.

import type { Rule } from './rule.ts'
import { apart, token } from './rule.ts'

export const FORGE_RULES: readonly Rule[] = [
  token('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', /gh[pousr]_[A-Za-z0-9]{30,255}/),
  token('github-fine-grained-token', 'github_pat_', /github_pat_[A-Za-z0-9_]{36,255}/),
  token(
    'gitlab-token',
    'glpat- gldt- glrt- glptt- glft- glsoat- glimt- glagent- glcbt- glffct- gloas- _gitlab_session=',
    /(?:gl(?:pat|dt|rt|ptt|ft|soat|imt|agent|cbt|ffct|oas)-|_gitlab_session=)[A-Za-z0-9_.-]{16,300}/,
  ),
  apart('gitlab-runner-registration', 'gr1348941', /GR1348941[A-Za-z0-9_-]{20,50}/),
  token('bitbucket-app-password', 'atbb', /ATBB[A-Za-z0-9]{24,64}(?![A-Za-z0-9])/),
  token('npm-token', 'npm_', /npm_[A-Za-z0-9]{36,80}(?![A-Za-z0-9])/),
  token('npm-auth', ':_authtoken= :_auth= :_password=', /:_(?:authToken|auth|password)=["']?([^\s"'$<{]{8,300})/i),
  token('pypi-token', 'pypi-', /pypi-[A-Za-z0-9_-]{50,1000}/),
  token('rubygems-key', 'rubygems_', /rubygems_[a-f0-9]{48}/),
  apart('crates-token', 'cio', /cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/),
  apart('nuget-key', 'oy2', /oy2[a-z0-9]{43}(?![A-Za-z0-9])/),
  token('docker-hub-token', 'dckr_pat_ dckr_oat_', /dckr_[po]at_[A-Za-z0-9_-]{20,80}/),
  token('clojars-token', 'clojars_', /clojars_[a-f0-9]{60}/i),
  token('artifactory-key', 'akcp', /AKCp[A-Za-z0-9]{60,80}/),
  apart('artifactory-reference-token', 'cmvmdgtu', /cmVmdGtu[A-Za-z0-9]{40,80}/),
  apart('sourcegraph-token', 'sgp_ slk_', /(?:sgp_(?:[a-f0-9]{16}_|local_)?|slk_)[a-f0-9]{40,64}(?![A-Za-z0-9])/i),
  token('circleci-token', 'ccipat_ cciprj_', /cci(?:pat|prj)_[A-Za-z0-9_]{20,100}/),
  token('buildkite-token', 'bkua_ bkct_ bkaj_', /bk(?:ua|ct|aj)_[A-Za-z0-9_-]{30,120}/),
  token('sonar-token', 'sqp_ squ_ sqa_', /sq[pua]_[a-f0-9]{40}(?![A-Za-z0-9])/),
  token('snyk-token', 'snyk_uat. snyk_sat.', /snyk_[us]at\.[A-Za-z0-9_.-]{30,200}/),
  apart('jfrog-deploy-key', 'jfrt@', /jfrt@[A-Za-z0-9@]{30,80}/),
]
