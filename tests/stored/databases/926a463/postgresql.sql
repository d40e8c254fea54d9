SELECT pg_catalog.set_config('search_path', '', false);

CREATE TABLE public.alembic_version (
    version_num character varying(32) NOT NULL
);

CREATE TABLE public.applications (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    id character varying(63) NOT NULL,
    summary text NOT NULL,
    packed bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.idempotency_keys (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    key character varying(255) NOT NULL,
    fingerprint character varying(127) NOT NULL,
    job_id character varying(63) NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.job_events (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    job_id character varying(63) NOT NULL,
    seq integer NOT NULL,
    type character varying(15) NOT NULL,
    data text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT ck_job_events_ck_job_events_type CHECK (((type)::text = ANY ((ARRAY['state'::character varying, 'progress'::character varying, 'end'::character varying])::text[])))
);

CREATE TABLE public.job_instances (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    job_id character varying(63) NOT NULL,
    packed bytea NOT NULL
);

CREATE TABLE public.job_labels (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    job_id character varying(63) NOT NULL,
    key character varying(63) NOT NULL,
    value character varying(200) NOT NULL
);

CREATE TABLE public.job_results (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    job_id character varying(63) NOT NULL,
    attempt integer NOT NULL,
    packed bytea NOT NULL
);

CREATE TABLE public.jobs (
    id character varying(63) NOT NULL,
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    kind character varying(63) NOT NULL,
    state character varying(15) NOT NULL,
    outcome character varying(15),
    labels text NOT NULL,
    warnings text NOT NULL,
    time_limit double precision NOT NULL,
    progress text,
    error text,
    schedule_id character varying(63),
    attempt integer NOT NULL,
    failures integer NOT NULL,
    worker character varying(255),
    lease_until timestamp with time zone,
    woken_at timestamp with time zone NOT NULL,
    wakes integer NOT NULL,
    seq integer NOT NULL,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    CONSTRAINT ck_jobs_ck_jobs_counts CHECK (((attempt >= 0) AND (failures >= 0) AND (seq >= 0))),
    CONSTRAINT ck_jobs_ck_jobs_failed CHECK ((((state)::text = 'failed'::text) = (error IS NOT NULL))),
    CONSTRAINT ck_jobs_ck_jobs_finished CHECK ((((state)::text = ANY ((ARRAY['succeeded'::character varying, 'failed'::character varying, 'cancelled'::character varying])::text[])) = (finished_at IS NOT NULL))),
    CONSTRAINT ck_jobs_ck_jobs_leased CHECK ((((state)::text = ANY ((ARRAY['running'::character varying, 'cancelling'::character varying])::text[])) = (lease_until IS NOT NULL))),
    CONSTRAINT ck_jobs_ck_jobs_outcome CHECK (((outcome)::text = ANY ((ARRAY['optimal'::character varying, 'feasible'::character varying, 'infeasible'::character varying, 'bound_only'::character varying])::text[]))),
    CONSTRAINT ck_jobs_ck_jobs_state CHECK (((state)::text = ANY ((ARRAY['queued'::character varying, 'running'::character varying, 'cancelling'::character varying, 'succeeded'::character varying, 'failed'::character varying, 'cancelled'::character varying])::text[]))),
    CONSTRAINT ck_jobs_ck_jobs_succeeded CHECK ((((state)::text = 'succeeded'::text) = (outcome IS NOT NULL)))
);

CREATE TABLE public.platforms (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    id character varying(63) NOT NULL,
    summary text NOT NULL,
    packed bytea NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.schedule_chunks (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    schedule_id character varying(63) NOT NULL,
    part character varying(31) NOT NULL,
    number integer NOT NULL,
    first integer NOT NULL,
    length integer NOT NULL,
    start text,
    packed bytea NOT NULL
);

CREATE TABLE public.schedules (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    id character varying(63) NOT NULL,
    header text NOT NULL,
    created_at timestamp with time zone NOT NULL
);

CREATE TABLE public.workers (
    tenant character varying(63) DEFAULT 'local'::character varying NOT NULL,
    id character varying(255) NOT NULL,
    versions text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL
);

INSERT INTO public.alembic_version VALUES ('0001');

INSERT INTO public.idempotency_keys VALUES ('local', 'cell-search', 'body_4ed7de41d543e448b30516bc14287fdf', 'job_01a217b9f2b13f7e377adbf27f16c95f', '2026-11-26 11:59:52.05014+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'cell', 'body_6ffc7b19ed19efa92abe125fab503ad3', 'job_01a217ba03f47b2a3f9fb34ecf0d76b5', '2026-11-26 11:59:56.415101+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'divisible_chain', 'body_a6478bfc46e852818149fe00b012a789', 'job_01a217ba0509c585532f1acbff271523', '2026-11-26 11:59:56.69017+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'master_worker', 'body_39e595b60384048fc292ceb4216215cb', 'job_01a217ba0630618a9cd2e8a2c3e60146', '2026-11-26 11:59:56.978927+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'mono_allocation', 'body_71aff98e0d8570d5f980ad7c51ef334c', 'job_01a217ba08399c42bd62a379cb4299e6', '2026-11-26 11:59:57.501267+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'task_graph-bounded', 'body_8c8fb514e7a557c34d7267187d6dca01', 'job_01a217ba15237f2edf1db1eab3b22b1b', '2026-11-26 12:00:00.808683+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'task_graph', 'body_169e5b609001468029beca4458690ee9', 'job_01a217ba164a540ceb85e25ba32ef87a', '2026-11-26 12:00:01.106003+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'by reference', 'body_ce9c615f1fbf01ba9ea47b268a142850', 'job_01a217ba17ada8fa5527d8a31cd764e2', '2026-11-26 12:00:01.45972+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'all options', 'body_f1de396b24a5c37ec66d544c8fa2a63e', 'job_01a217ba18ccb50c9bcd751e351d3565', '2026-11-26 12:00:01.748118+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'cell, queued', 'body_0ba6cecb9a057d7eb8bdfee6ed460e42', 'job_01a217ba3b04ab72df4ade37099f0a4a', '2026-11-26 12:00:10.532608+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'divisible_chain, queued', 'body_17446ff708feb27bc6ac88d84709cb7c', 'job_01a217ba3b48c32022fdee9f6c3752bf', '2026-11-26 12:00:10.570156+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'master_worker, queued', 'body_93663779ffdae7b6295978206aea4a48', 'job_01a217ba3b6061960086f43fc05d4fb9', '2026-11-26 12:00:10.594889+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'mono_allocation, queued', 'body_34d6a79c3d92cd032ba569437ecb8646', 'job_01a217ba3b72dfa6e538658d932e5065', '2026-11-26 12:00:10.616899+00');
INSERT INTO public.idempotency_keys VALUES ('local', 'task_graph, queued', 'body_3599fa4b7e235cf20eb3d19ce3324926', 'job_01a217ba3b853dd1123f05239e6556d6', '2026-11-26 12:00:10.636883+00');

INSERT INTO public.job_events VALUES ('local', 'job_01a217b9f2b13f7e377adbf27f16c95f', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 11:59:52.126478+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217b9f2b13f7e377adbf27f16c95f', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 11:59:52.395925+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217b9f2b13f7e377adbf27f16c95f', 3, 'progress', '{"phase":"building","elapsed":1.365}', '2026-11-26 11:59:55.761181+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217b9f2b13f7e377adbf27f16c95f', 4, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 11:59:56.288724+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217b9f2b13f7e377adbf27f16c95f', 5, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 11:59:56.292301+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba03f47b2a3f9fb34ecf0d76b5', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 11:59:56.428847+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba03f47b2a3f9fb34ecf0d76b5', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 11:59:56.458738+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba03f47b2a3f9fb34ecf0d76b5', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 11:59:56.494057+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba03f47b2a3f9fb34ecf0d76b5', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 11:59:56.495343+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba0509c585532f1acbff271523', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 11:59:56.696579+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba0509c585532f1acbff271523', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 11:59:56.737015+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba0509c585532f1acbff271523', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 11:59:56.875829+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba0509c585532f1acbff271523', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 11:59:56.877392+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba0630618a9cd2e8a2c3e60146', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 11:59:56.99031+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba0630618a9cd2e8a2c3e60146', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 11:59:57.277633+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba0630618a9cd2e8a2c3e60146', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 11:59:57.380142+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba0630618a9cd2e8a2c3e60146', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 11:59:57.380906+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba08399c42bd62a379cb4299e6', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 11:59:57.515758+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba08399c42bd62a379cb4299e6', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 11:59:57.551819+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba08399c42bd62a379cb4299e6', 3, 'progress', '{"phase":"building","elapsed":3.088}', '2026-11-26 12:00:00.653976+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba08399c42bd62a379cb4299e6', 4, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:00.76387+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba08399c42bd62a379cb4299e6', 5, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:00.765368+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba15237f2edf1db1eab3b22b1b', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:00.816686+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba15237f2edf1db1eab3b22b1b', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:00:00.902494+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba15237f2edf1db1eab3b22b1b', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:01.052672+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba15237f2edf1db1eab3b22b1b', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:01.053787+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba164a540ceb85e25ba32ef87a', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:01.111876+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba164a540ceb85e25ba32ef87a', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:00:01.137319+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba164a540ceb85e25ba32ef87a', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:01.224699+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba164a540ceb85e25ba32ef87a', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:01.227353+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba17ada8fa5527d8a31cd764e2', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:01.474812+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba17ada8fa5527d8a31cd764e2', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:00:01.515923+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba17ada8fa5527d8a31cd764e2', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:01.557105+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba17ada8fa5527d8a31cd764e2', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:01.558062+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba18ccb50c9bcd751e351d3565', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:01.763862+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba18ccb50c9bcd751e351d3565', 2, 'state', '{"state":"running","attempt":1}', '2026-11-26 12:00:01.811778+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba18ccb50c9bcd751e351d3565', 3, 'state', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:01.871772+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba18ccb50c9bcd751e351d3565', 4, 'end', '{"state":"succeeded","attempt":1,"outcome":"optimal"}', '2026-11-26 12:00:01.873047+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba3b04ab72df4ade37099f0a4a', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:10.545591+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba3b48c32022fdee9f6c3752bf', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:10.577296+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba3b6061960086f43fc05d4fb9', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:10.602108+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba3b72dfa6e538658d932e5065', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:10.619191+00');
INSERT INTO public.job_events VALUES ('local', 'job_01a217ba3b853dd1123f05239e6556d6', 1, 'state', '{"state":"queued","attempt":0}', '2026-11-26 12:00:10.639176+00');

INSERT INTO public.job_instances VALUES ('local', 'job_01a217b9f2b13f7e377adbf27f16c95f', '\x7801ad92dd6ac3300c85df45d766385e1b36bf4a29c649bc4544fe2131f422e4dd2ba5e472a3d0faca928f3ec9f659a1ccb9a310c1ae30611ac0421f884041f4fd8829c841296101db2858f68d51d0f934dc70a823ebcd591f8bcb28f79edc52f3cca5605ad39c4e9c1ea277986a768c6054fbc870e038c77cb05f9b025f0a61ef2be6247dab5f266e7c590165b0aa1954318647017c1fe1ce84338773f0a214e16dc62a23c8be843081d59b3a48cd51bab77e8564fe25c9d59f9de9f36d24e9faf73b499f676792377d0fa97d957455f0832446bc5cd92a31d431cb5f47a4029cc8456cc3c7ec1bf10861c40ab6d51f9ad558dcaf2fbb1d584bbe0b24d26dbb032c23e2bd');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217ba03f47b2a3f9fb34ecf0d76b5', '\x7801ad92db6e83300c865f65f2355a09ed50c7ab4c154a212b1e3929c9546988779f0da4d334b557e32afcf9fdf9104fe0833b6b65a0996044db43039dd21a0a30b21bd02abef05e45684401713954059ca5edafd8a781fcd54b993f0ad3ae93ba8dc9050a85aaaec4e140726f648b36b9961084aa57857e5ad2880fcd712e407aafb193099de5bc561a86bca34e2a3c51ce914849c691aa799b00b9da48118965346a0581d82d156571c948e252278941490e14f5fec8955d0326ce52d2d92b354253cec506d7ee9a294b8df0ba134baf595dd9fb1f758333ec2f58dcc0035e86ccf85ff28743fb9b2c1e5697c7905b3f153c6f7e6f9a70749fa1e3e1dca62cc3452512d6c944fce2dba378ad807bbbefdf1abe1bb04d3ae3b72eeedaf3fc1ef94fb45046a5c1f16b1bd49e4a04e779b9a8bb69dd188d86d6a7a9cbe792dce8db8bf4642fd9abe55969b6cef33705f5f066');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217ba0509c585532f1acbff271523', '\x7801bd52cb52c3300cfc958ece1d0885e1d06fe8813bd3f1288eda8a3ab6b1951426d37f474a79f4c0850b4759abd5ee5a13e492da403dac273872ec600d1d8f5c591f9d3f204758420e28bb546650c49e1424a7b4a0d701c342093cd59a4a35e44fb17e9e808defe94e1b436471c2f3ecfded83bed4138b3fc07a87a1d212740545ffaef806cecbafd1d59f47b74ac5f158c1f6d734146f72670d82654f6295d1b618bb1377a212c01476430ef4a6c56e0841eb9e3a466531c26b6d5a5fb54a1a846cd9f6acb884dd65f16c7c63b43ef5bd9af7289ca21b5318e60c3e5b79905f1a1cab60083d4551bad5120a05c24aae5321aab051de13f1fe60668ca96622db3c9dbfa3db98c7ff5eaed9e0881cb0e5c0a29f39692a3915b301550a7b712992b3279597da17f2c2a379eaf14835a39d9b661acdcd9d252d87644714b25e05a46c299a51b05b72817bd60c1e9b9b46b19cdd1eb382ed82f4d35a0a974c3e00ad70f399');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217ba0630618a9cd2e8a2c3e60146', '\x7801ad525d6bc3300cfc2b45cfd948b7b28dfc8ad1d752829b2aad8863197fd06d21ff7d52c66809db28656f967c773e9d35800fbcb3d8433540476e0f15f426260cf5894387010af0d6a496c30471a64781acd777ab97e7b258b474c801178f0a0bdc608c1c22549b0148a55e9772911da53ad1445c96d288274acd11aad6d88805883cbae65de0258cc537f361c6d4fa2aa27ab97cf26ae26a4654ef7fbdb815ebe4baaf7123e7d06834d3c8c9840326ade663a8e83e7b8b6f72db666ba5ee714f464253c15916bfc9ce87bc5956fd9dddfe14c14d6ed5dfffc84a2817f904ce0935f1ed28fd6951cf99c74eb758f7567a3a0a399f531de9433f462715f64547d70d3c872482c00e6b3d0baac774645d5f93132b867d2276821a40f7b8b6d493fcee53795f0a9a7c7d305ee0939e353bb40a1dc74f86450d22');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217ba08399c42bd62a379cb4299e6', '\x7801ad54c16edb300cfd1543e7a073b2ad187cdca5a77d4111048a2d2744245190e8b85de07f1fe9c84ad70c680fbb49d6e3e323f9e88b0a11f7d638d55cd4097ca71ae5d0e34e5b8bad2640af562a584d3dc619e4b5330cd255cb87a82bedbb8a46ac9289671313a3070f94848f6086cab74e93e6a85f3ff93c623cf1f9a9b718d4c4ec115b93127270f37c51201aaee40c4e23507b544daf6d322bc5428c6f5f195173680627c76a051b8c91e0f527e3ac8e07f3266ef341dc96f3833f5d65261c622b9d285249e888bf2c7af6dc9b113a62f9b3a66e08d6bcf0a51f66bdce74c05d7916de777515f685ab902fa2ff07f9bdf47fb27f91c67c563c17f3a6ae8803990f1bb6643dcfedc8fddb4e5b36870ec14236225b2abbaf47b6e7588d474d95c333675829d2298f263b28d01065bc62c3d98fb9dc467d5553318fb670108f67573ede6cd519322ddd9e7edc9e28eaf6747bf9a6262ebb077b5f6a11b19863c997e0b7b8e7fb4c5ac6bdbc9671171119cfa9d8f6055f9e4bc0222de3377fe35b7d27e85dc09a6be1be078cb2c4ca0d96402e5cad0c13fc410c0c2fbc69575394e9288f5efaed0c1d51f650c2785280823441f660c35b3a2f69bd52e01369cfabaf9a755dd79c1483fc70e659c9d076161cf0423dd60f0c771076071d9857569f37666fac40a7e90fa3de89c4');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217ba15237f2edf1db1eab3b22b1b', '\x7801b554cb6ec23010fc15b4e7d0865769f3150871ab50648213b624b6653b2a6d947fefae799548a848859b93194f666777d380b17a55ca0a9206b6a8d69080176e9b1656980d44604ae1736d03ae4425099fcffbe3d7691cf5722c6a2b7b6f4cb33a93ce69eb20796f0059673620c07da2cf3690e4a274320252932afb223486363a1287b71247b712c7b712277f1097e419d5765f96d3b5cd3882509a17b6909e9fd87fadd0a71e43425cf8ba36a5dc11eab00aa7082ab94641f9b06627876bca5cf0bd94d9e5d93327f418658ef45eca5cff633c5f2affd33375f45773adaebde48959b61108634acc8447ad78c70e3b442bb5ed7f6854a13e7798afb0360b9e1e1e24526878d21218407b5a964568e3091e76e150d7091e75616efb597c4c30ebcd26e1d0b654488e6530dfc06928f7968ee31e1c38fce645183c0fc31e5fa3b29babd48b815c84953da876342f7ad52172c6465b4f69815632e5337d947b80aaa097b995925e54d26f34ff9644ed35e98336dc93103207929658216df34bfc14131b4d5a0843f498ef8a5d6aa4c5707f1a4aa60d5ec9926fb7ed0f39ae9d86');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217ba164a540ceb85e25ba32ef87a', '\x7801b554d96ec23010fc15b4cfa10d578f7c0542bc552832c109db24b6653bea11e5dfbb6bae120915a9f01632a3617676272d18abd795ac2169a144b58104bc70655a5861b61081a984cfb50db812b5247cb1184e5f9ee3689063d1583978659ad599744e5b07c95b0bc83af31101ee037db6852417959311909a54d917a13174d18138be9638b99638bd9638fb83b822cfa8cadd584e3736e308c2685ed8427afec5fe1b853ef51812e2c1378da9e427a10eebf014412d3728281fd6ece570499907be9532bb3c79e684eea3cc91de4a99e7bf8fe773e57f7aa68dfe5aaed58d977c31ab2e02614c8599f0a815776cdf21aa54397cd7a8c27c6e7f5fa1364bbe1e3e245268f9d2121841772ccb32acf1088ffb7098eb084ffa30affd243e2598f5e6b3f0d07534488e5530dfc2f12877960ee71e1c38fce6228c1ec7a1c797a8ece622f5ec2097a1b27bd59ee6d9ae7a44ced868eb292dd04aa6fc4c7fca3b4055d0cbdc4a492f6ae9b79a3f4ba2f19af4411bde49089903492bac91dafc143fc4c4469316c2109dbf5354d7b5ac98da753fc60697d8');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217ba17ada8fa5527d8a31cd764e2', '\x7801ad52d14ec3300cfc95c9cf05159800f52bd05ed15465adbb454de3287134a0eabf6317a14d15a069e2ad71ee2ee7eb8d1022ed1c0e508dd05bdf420583498cb13e52ec314201c119ee28ce106f0614c86673b37e7e2a8b5567f739e2ea4161911a4c896282ea7504ab522f777291bde59aed4cbc2b65908e969b03549d71090b1079f4cdbbc04b988a6fe6fd82a9e78b88eae5fcc98b89eb0551bdfff5e256ac5bdf7fad9b28c746a399576613f7c87a5aaea1a26d0e0edfe4b6cbcec979c0d61a094d051759fc26bb5cf26a59f57772fb530457b9557fff232ba19ce51329336ae2db49e673514f99a75e5bacbd9599ae627dc85c27fba13f463715f6d944eb0681228b2090c75abf0535201f48eb6b32936228b0252fa811b4c7b5b38395bffb58de9682b6a1de9b20f059cf991dba199a38b7da6a722d4cd3274ba6115c');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217ba18ccb50c9bcd751e351d3565', '\x7801ad52cb6ac33010fc95b067b7b59b4083bfa2e45a82509c75b25896841e24adf1bf77d7a52498b684d09bb59a19cd8e67001fdcce600ff5001dd93dd4d0eb9830a8930b1d0628c01b9d5a172688d53d3264b37958ad5fca62d1d221075c2c05165c8331ba10a17e1b8044eab5e28b6c29a94413b12a79104f949a23d4ad36110b6079b4cd3bc34b188b6fe6f38c29e79b88e2e5fac99b89ab1951bcfff5e296ad93edbed68d2e8746a299564e3a1c30c969be8688eeb33778e6db361bc3e71ef7a43934119c65f19bec7cc9bb65c5dfc5ed4f11dce556fcfd8f2c8772954f7039a124be1d793e15f59279eca4c5d25b9ec92a647d4e2ad287fc18d994d95713a91b7817120b82b3a8e49b513da6a393faea9c9c609c4fe42ca306901e2b433df1df5d968f25a3c9ab83f60caf9eaa52faddebb3f21868d258cbe4747406554b46bca79091458ddea111cd71fc048bfb1a59');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217ba3b04ab72df4ade37099f0a4a', '\x7801ad93d16e83300c457f65f2335a09ed50cbaf54154a212b1e09c942aa4a43fcfbec403a4d53fb349ec28d7d6c5fcc04cedbb35606aa097a1c5aa8a0515a430646361d0e8a2f9c5323542283311e8a0cce72686fd8868ee28bb73c3d94a66d23753d06eb29158ab210bb1dc9ad91350ec1d6842054b928f45293467ca8f67306d2398d8d0c6807ae3b48c39077d441f917aad91329c8b1a76e8e1320773b524660198d5a402036b1a324c68a24c63e49f44a72a228b77beeece63170959cce4ea91eaa7cce56b8b6b744893dc26123e2ac495dd8db1f758533ec2f58dcc11d5ebac4f85ff287c5e137593ced2ed990463f65ec377f6f7278b457dfb0397797a5bfa840c2e2cc885f7cbb17870278b6c7f1ebc00f1356a7137e9de26178f2ef59fc8916caa8d059feda06b5a316c13a5e2e9a6e5a3646a3a1f5a9cafc35a76874f5453a0acf3956cbb3d231f4f3aaaeeafe6fccf337407af551');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217ba3b48c32022fdee9f6c3752bf', '\x7801bd52cb6e02310cfc15e4336a81563df00d1c7aafd0ca9b35e0924d42e240abd5fe7beded8b03975e7a743c1ecf4c3c40cab1f5d4c37a8023870ed6d0f1990beb63e30ec801e6903cca2ee60914b02705c925cee854d1cf94c05129311743fe16eb9701d8f89e97daa881a5119e661fee1ff5a55c58dc01d63bf485e6a02b28b877c52f609c7f8faefe3cba552a0ec702b6bfc49a9dc99d3408e63d895546db62e82edc894a0053d8d5e4e94d8b5df55eeb9e3a466531c26b6d5a5fb572ac42b66c3b2a2e62f7b97832be315a17fb5ecd3b148ea139475fa70cbe5aa9ca8d068722e87d4f41946e35874c9eb050d3a91055b850de0bf1fe60668ca92422db3c8c3fd16dcce37f2fd76cf08cecb165cfa29f39682a2966b30145323b6962a0c69e545e6c5fc9099fcd538f472a09eddc34d3606e9696b41ca21d914f7a151093a56846c16ea9f1dcb366f0b4b85b289653b3c7a460bb20fdb496fc043d55aa74ebb2c7f103e2f7fd01');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217ba3b6061960086f43fc05d4fb9', '\x7801ad53cb4ec3400cfc95cae780025480f215a8575445dbd469ad6cd6cb3e5420cabf6307a156e1a1aae2167b6766c7b3ce003ef0c6620fd5001db92d54d09b9830d4070e1d0628c05b935a0e13c4991e05b25a5d2d1f1fca62d1d22e075cdc292c7083317288503d0f402af5742307d951aa134dc49b521af140a9d943d51a1bb1009147d7bc09bc84b1f862dece985a9f45542fa7579e4d5cce88eafdaf1bd7629d5cf7396ee41c1a8d661a3999b0c3a4d57c0c15dd666ff1554edb6cadd43d6ec948682a38cbe237d9f99017cbaabfa3db9f22b8c8adfafb1f5909e5249fc039a126be1ea53f2dea31f3d8e916ebde4a4f4721e773aa23bdebc3e8a4c23ee9e8ba81e7904410d861addf82ea31ed59d7d7e4c48a619f889da006d03dae2df524af7b5f5e9782265fef8c17f8a467cd06ed047dc998f1fb0f358e1f272115f2');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217ba3b72dfa6e538658d932e5065', '\x7801ad54418edb300cfc8aa173d03a69bb287ceca5a7be6011048a2d2744245195e878dbc07f2fa9d8ca3629b07be84db286c32139f44585887b6b9c6a2eea04be538d72e871a7adc55613a0572b15aca61e630679ed0c8374d5f221ea4afbaea211ab64e2d9c4c4e8c10325e123c850f9d669d21cf5e31b9f478c273e7fef2d0635317bc4d6a4841cdc3c5f1488862b3983d308d41e55d36b9bcc4ab110e3db5f8ca839740627c76a051b8c91e0f53be3ac8e07f32a6ef346dc96f3833f5d65261c622b9d285249e888bf2c7af6dc9b113a62f9595337046b5ef8d20f59af331d70579e85f7aeaec2be7015f245f4ff207f94fe4ff68fd298f78ae7625ed5157120f366c396ace7dc8eb97fdb69cbe6d02158988dc8969addd723db73acc6a3a6cae19933ac14e9348f667650a021ca78c586d98f73b98dfaa4a6621e6de1201e9f5df974b35567c8b4747bfa7a7ba2a8dbd3ede5b39ab8ec1eec63a945c4628e255f82dfe29e2f99b48c7b792de32e22663ca762db177c792e018bb419bff91bdfea074177016bae85fb1e30ca122b375802b970b5324cf0073130bcf0a65d4d51a6a33c7ae9b7337444d94309e349010ad204d9830d6f695ed27aa5c027d29e575f35ebbaae392906f9e1e459c9d076161cf0423dd51f18ee20ec0e3a30afac3e6fccded80cfd399821effdfd8f6b9afe001a21934d');
INSERT INTO public.job_instances VALUES ('local', 'job_01a217ba3b853dd1123f05239e6556d6', '\x7801b554db4ec3300cfd15e4e702dd855bbf629af686a62a746e67da262149c5a5eabf63873158a58949c05b9a73747a7c6ca707ebcc43832d643dd4a437904150bece2ba7ec1612b08d0aa57111d7aa45c697cbf3f9ed4d9a9c9554750ecfee84e64c81de1be721bbef8144673161c03f5328b69095aaf19800aba12e5e194d61483e89d35389b35389f35389573f10d7ec9974fd5196379d2b2482585a50aec2205fe2bfd314f2403121297cd3d9065f18f5d4c653022d6e48713ea239cae198b214fc57cae2f2cbb324f43fca12e95f294bfdffe3f950f9979eb9a3df9aeb4c175026663d24a0ac6da850818c961ddbed10af547dfe6848c7fafc6ebee2daac647a649058a19749cb6002c37e5956b18d7b783a86635d7b783686a5ed5fe27386456f71150fc3c08594d444f33dec87f2c3d2e7b847079ede64112697d3b8c7c7a8e2e628f5602057716577aa23cd835e8d8892b1352e705a6034e672e69f4a0f48577c593a44be68316c8d3c4baa0b86f5c158e9490c5902c91b6a89b7f93abd48994d36af9465babc53bcae0fd844ea53871d8e5ec961780786c79f47');

INSERT INTO public.job_labels VALUES ('local', 'job_01a217ba17ada8fa5527d8a31cd764e2', 'study', 'old');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217ba3b04ab72df4ade37099f0a4a', 'queued', 'cell');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217ba3b48c32022fdee9f6c3752bf', 'queued', 'divisible_chain');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217ba3b6061960086f43fc05d4fb9', 'queued', 'master_worker');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217ba3b72dfa6e538658d932e5065', 'queued', 'mono_allocation');
INSERT INTO public.job_labels VALUES ('local', 'job_01a217ba3b853dd1123f05239e6556d6', 'queued', 'task_graph');

INSERT INTO public.job_results VALUES ('local', 'job_01a217b9f2b13f7e377adbf27f16c95f', 1, '\x78019553cb6edb3010fc1581975c8c54925f95ef45730c9063501834b5b2d85022412d9d1886ffbdb374823a488bb410202e97a399dd59eaa49eecd8aa8d32e49c9a299fd8f88190f081eda0253710f75e3083754130bb9f64d81e803aa9516734f7d1a77d1f120370d02e0945f5a5aab0d52144ffa236e56dd9bc7faaf34ced7c92024efff1d54cd18b36ac369d76138163af03e44a68198a6c3b6b34e7eaf818a4908974343d8e43b48626a8e1a3d1b7125633357977a008dc9dfd7ef7a070862d580875714c0484e9a94d2e73997e4b75b998d74dd5eae5e2ebb2d3cba659afd7655dd2ba9a37bb1a4acf3a8e76dc43e0f18768b1683daae7fe5860530c3ed2a678b8ff5615f01bb6d15468e70aeea980ef342b3a1f8b1bae6f6678cff37b75a34015505a9e46f67680b99011ffb84407f760843a5788c12e95707d89737e7e152fae30cbab78f58681119d8d136f2f9a68e0a202cb44401670cb025a59c0280bc864014f1e70ea3a8ad23daa77de68b79d18ed237152260752aa949726b13c0fd27708ea555d2d1618c835507afa1b100aeda0ffc03cf9140d24c7e41c6e09ac464125ee3264aad547814ff0d0f1c6a4a0d9fa31cb457afb243773fb3a55f11fe3442f1897c8bcc7d5ff8293997ec435ea8c2a769ed9d148e6e9756857c02910b5db845fe3a442a0ad1fdd11a8d5fcf25bee238e2551af2571c62d67f433b13579d2071dadde39b9b7750dcffc3871d4766424aaf5efffe77cfe05c277451e');
INSERT INTO public.job_results VALUES ('local', 'job_01a217ba03f47b2a3f9fb34ecf0d76b5', 1, '\x78019555cb6ea33014fd15e44d36280d8f529afdec2bcdb21a458e31c1adc1963169a328ff3ee79a3c485f93c902617cee39e73eececd9abea2ab664426acd6266062f4c2bf1c158af5a4edf5ae91b439856694b98f58b145e6d81dab38e07b46f9c19368d1d3c005bae07a24816f4bbcbf0895bebcc3b5b66f49b87e7f8280e315b9b813cecff2f3066f29d0bcf96de0d122c1b6ea1b9809890ceab5a09ee8345bfb3e446db553570adfc0e10eb94903d693e3dfd4ae6c819d6279ed304a0df5f6e3d8c3be9e7a007061b9da988b81bb48e596ff456ba71853dbcc39744aee419dba291d5a04917afabc7b4ca4b51947952558f322b44b948b38ad7b9ccd6bc1024fcc65da7ba0d049eff909627ad67f6d6ec222ca2d638b98c28a5e898521f71ad23dfc808ed9471541b17cd7a8b32cce268f66254376360b270167a9cdd8d5d83568ba6418b8a1402e09298b1a3cd1b16284f8a45a336cdb8a22d623c019171ad5cef57237b28f791293992e4a778bc8ca1612086ba968e32db8381eaf37cb43086c1b0ea7acfbbd0c32c6615f71caa697eff50a0099fa382c9dbc328c1a3a1eba0f4ac951459995f69058ddba240aa8de07ad57b742ce429c24b9839480f3d4d09cb178f054db4a929bb224df251f202a60efc048652d5a236a8e425881ad59bc109488f830a2f1af5465b482a4113a67812b9197f9c9113fe94d1b5423911f82280043f06201323c460b957062386849c3c8b10c7f940c68c661d153b0f33a94dd05707fb16f4e5b0ff131d9ce00c9c81457e9797655a26e97d1897898f80c5957b1338989e1227c5b7c4017b45fc33389ddf4e9ccebf27468fd6c67b2d3b295ed1800f6de9ad94d56ac03dbd67d6ca95e9f40e28bad8360e5bb448e80fe38079f36874ef9508d7c6963bc5d7fa72b30a830bc071d579ec8f333cb9790f87bf95790cdd');
INSERT INTO public.job_results VALUES ('local', 'job_01a217ba0509c585532f1acbff271523', 1, '\x7801ad57c16ee23010fd95286744b19d04e837ec61efab15721387781becc8714a2bc4bfef8c1d8343292d556fc11ecfbc7933f36c0ee9b35455fa9856f245f6f2a9159bb2e152a5b3540fb6d43b017bbab372c75b58db09db68346f3bb478fa274a2b5fc0e6902aee6c77fc59f41d47072fbc1df03865197ba005a1b0c6bbcee8d7f471315fad970bc2962b9a679410c68eb3f4490f88e570e7c9592a5e7969d3476b06016eb6bc83a80b88560a63652d4b6e1d44fbd6219eb6db54036fa57d0393cec852f4181480c157af0d9d4bd55bdeb63ba12c991b510ac811b35e9107c216853b76cd98c6c679f650e4ec435b16db2ee94ddb2cb65d1797b624064ce7b56e5bbd879cd2e515c013e3ec13e30915b1e72b8e27b6b163c6d83bda2628d83d286263b25a07cfade61599ef1bdd9e5a2ea73403fa71875edd39559ccc4f6d7b9d341a1be4343f4595ea79924acc11a5a1aaeda5d92489623516f49d59cce25876e86fa52bec5835b4ed2ced75fb228cff057bf00d0d8fcd8ac300db6523aac171029f1bb12c56a26059bd6405ad48cec5a214ac10454d96a22e6aa06bcf8d926a0b01fefcc5581663fd496d2312379f09505cf549ad4d826b21409f4895ec1b59366e1949ef93ad4e2abd576ec5c9ca2ce1aa4ab81109484b375851cdf01c3adac28ca9449b4a186714cd600fc79253b130348004f75cc1e1d3a4264f027644226d328e6cef1c2bf16a7d5c01ecbc4d8ea0e6d93ef11b487f0a3947bd104b97d745a0e237019a7e5334ed38084c2941efac6329da720c007307d780308cbff018a6dd0a2bb582952c0b1211a5017e28d4cd82e7a1db180eb6a1ba675728a5135731d02f3903f07d038540d867bf08313a9e3e1254c851ea00b1cbaf36a0b63e034696ae778fb33b7c20f8c80759fb31b9e9032899e0b8f4313219fb40937b72c90a5f8dbb7c5ce258f859bee9e3935c405af1de384285e0da15d095a0685023d7125003bcd884bbb30373b370895bc3555f831c4cd8f242e1ba7bdabdd8a2a1312f9972cd019b210666f41ec13a27e1661fdf11e35c4f11f8bef10846345f081d3757081de0040a180bb7e1edf858a77be3875871ea61edc3f83f5502d4009c4f2c41d4dc81878878df0bb100dca60267fc1a15d7e62540886723403853ef119cd5ec76fc2f97e2130a3e8dffcd52dce28144f31d7838e7ed79c0e7817ff87d8f871f8fff533c44f5081a1589c239ed7b1bf2a3867847c415002092b2c2e70d08e4e4820897ed60e131034314cf873f01428a933d398521bd82f953245fe641e0c6534101509fb70307c5b502e21fd21a6e450d2f314009cf6f6136e3df1914bce3f955b1d94bdb6c5cf30cf03fc5cba133ddf47a30254e3c60da1abe4b8fff01a0ba3388');
INSERT INTO public.job_results VALUES ('local', 'job_01a217ba0630618a9cd2e8a2c3e60146', 1, '\x78017d91dd8ec2201085df65ae1bb5b4f5ef297a6f8c413ab6acb4100afea4f1dd77064ddc64a3770373ce9c8f6182b31e1ad8422fc780fe70b5fe8c1e32b03128db2375ac0bba9786ee7a0c9d65b171ac38fea00afa429a090699b4a1f336b69d8b81041769220f10f9bc5cd0593ae7ed0db68b5925aa4706471b397afa2ecc006f5205d8061f915cad743493e729f4419fb492212184bbe334e30e4d9446873b499cd70a47cea8f319bd87c058f302a2bb11d3ebf3b9009a3dd886d543342683d19a0bad229da847358521013308b555874d343c8ecac32a3f36cb72b3c24d25512d2516321742342536e55a3415c15ca51ff4d052c06ecf5981b3b87c81a55dd4f91f3e91ea3579ebe25d964f0503133e6d6637116cf48a59c89f4190be456a402de874d289520fcf6ff1695f50ccd734e1b3b3f8e8ccff3939e59d597e7196f0d83f7e011fa3be26');
INSERT INTO public.job_results VALUES ('local', 'job_01a217ba08399c42bd62a379cb4299e6', 1, '\x78018d54cb72a33010fc179d9dac1daf499c437e2495a28410a08d90283172ec72f9dfb70781c129ef839318f54cf73c3467f1695c295e45eb9dcfa5b55e4932de8995f091946f35ee7c47a69516b65653e319def94095b7c633b0f8a5159903a067e1e4e0424df0b16eba48001ca48d1c67f323c39fecbae08fe275fdb8c9be7d9795287c643de7ff775a097d948ac42b85a811a1961db8d660523a90a90c321aa4d1a96315b6cbcb28ada113205d304af7cc6765a8f5233286e624768ffb1e79db1bebe64580c4f992dd5cb416206f0f3aa43fdce10c568d2c5811ae55a3cb6839288ef96697edb73b953defd56e5de9edf3fea9d055b1fdf922cba27ada81f54b06675c0d82f70fe622e6e26387d043fdb9902d2a09148b57b2a318c0f08e63ab83140023c7dab16948822da526748a4d43b66ca220d5e7c272194caeaf7460ceb3a80c2be7b889628a0bdf4e5293ae06cab15a1cb56f24ab111bd46a0e91045d652c222485ab59d6fd00b386247b11614c7bd2703f14f05ea908dd3ce29c5dd0bd8f41b1d614e1e12db5dc1af7891a63f0f92e1bf258806fa7e5cfb8dbf9f907eee12d85bde5de7de74e42af43790dba151724587822ab9de6aedecfa932a1a73c8d52ea31c93ea1a716e385e259f41e433d0dd43c7c1beee9e832b574e93035731ad6ed023f4e203fbc99210de34cb05b38a446ff1d9f71de16afdca9d39c57865ac4ea3ac74bc24961294922c3e1499fef4a9a10cf43139631ae0337419ec6f2637fe5d7a10adacae3b4515b9454d6d35bfed2a66e080d385fb0aab07764303d8fe5b8544c1b91d330a8a385f0db9351ec232a5e94797182fedeb49dd5791db42e79a98d8b01b0e468081b8123c1b2e6751c8c2cecbcbf146e5067e3584d7259ecb7cbe53712f807b2');
INSERT INTO public.job_results VALUES ('local', 'job_01a217ba15237f2edf1db1eab3b22b1b', 1, '\x7801cd53cb8edb300cfc179d8dddf855a4f98a3de4b6080c46966d75154990e9740323ffdea112a04d8b5cda4b6f638a3343d2e4aa3eacefd54e31cd1fdd98284eaa5061611d4e06e110d99ec82176323c05c9d4c12d27df8dc69b446c8317c2f19bd16ccfa0acca53a6f294c2324e7161249cc92da25702538c297caa5df9b2b916ea181629607d965228f3499ad58ed362903f5284ce063ada24b683d5c4d9962f511c5cecfa859ce50b5262b2dacca2fe56bdcc26775a2aa8f8d04bdc2fce156a0eee6cd2ed0b6fc09035284a2cf1ac27d32f4ec401bbf2b81db634506faa76bbe9bf0eba31755bebbafda24937d2e1774adefa1106ef07f162f11248ce05d48ba149605598bdc1243685c228f37c5e2bf0e567206155fb12a66f22b9af04c9e3be16540b6a0435d20f27f2f360d24d76b052edbbd03313ce9178925016830e42f344297b4260558f9c5a121e3939f48493eb6a1e3812426dcf7dee1dfcea23a13f3807a9ee3ea8f25f06d5fec7836aff6250bf730e57193663bd66b63aef8fe5fb8de26b8b8bc9a70b5c61476d2f1b01d49b88cb305e5f3a4009decee24cc9d2d1fdbc138db5c5a259cf90909cebf507218a4344');
INSERT INTO public.job_results VALUES ('local', 'job_01a217ba164a540ceb85e25ba32ef87a', 1, '\x7801cd53c18eda3014fc179fa32d4e8005be620fdc5628328e93b86b6ccb79a68b22fe7de719a496565cda4b6f93e73733cf93e7597c58df899d20357db4435271149508997438199443247b520eb593a13170a70e2e9f7c3b186f92221b3c138edf8d267b0665165e152a8d29e4618c99d070562eb39e045631a6f02976f26571adc431641e607ed65209f3a934891da56cd03fa8089d0574b449647bab15155bba447670b1edb272962e6889c96a33b1fa5bfd3299725329a0e243c7759f9dabc414dcd9a4db17ce80216b30145be2588fa6cb8ec501dbd5566ad9afeb7ed377cd56afd6db8d5ec8fab593bd693ab986ed0f95bcf5030cde0fec45ecc5503917302f42e3c22c90bd41128b4a20ca92cfb71a7cfe196898c55ec2f48d43dbd78cf870df306a182d192df93e94949f7a936eb2bde569df995e98708e8a462e1531e8a0348d2a154f08cce291d370c323a7949e70ca5ccb070e9730db739ffb0d7ef5e1d21f9c034f770f4afe4b50abff38a8d55f04f53be770e5b009eb3591d5657f2cdddf28be367831e5e902d7d851dbf146007526e26518af2f2d20176fcfe2ac925547f7f39d68ac2d16cd7a8204f75caf5f0b464293');
INSERT INTO public.job_results VALUES ('local', 'job_01a217ba17ada8fa5527d8a31cd764e2', 1, '\x78017d91dd8ec2201085df65ae1bb5b4f5ef297a6f8c413ab6acb4100afea4f1dd77064ddc64a3770373ce9c8f6182b31e1ad8422fc780fe70b5fe8c1e32b03128db2375ac0bba9786ee7a0c9d65b171ac38fea00afa429a090699b4a1f336b69d8b81041769220f10f9bc5cd0593ae7ed0db68b5925aa4706471b397afa2ecc006f5205d8061f915cad743493e729f4419fb492212184bbe334e30e4d9446873b499cd70a47cea8f319bd87c058f302a2bb11d3ebf3b9009a3dd886d543342683d19a0bad229da847358521013308b555874d343c8ecac32a3f36cb72b3c24d25512d2516321742342536e55a3415c15ca51ff4d052c06ecf5981b3b87c81a55dd4f91f3e91ea3579ebe25d964f0503133e6d6637116cf48a59c89f4190be456a402de874d289520fcf6ff1695f50ccd734e1b3b3f8e8ccff3939e59d597e7196f0d83f7e011fa3be26');
INSERT INTO public.job_results VALUES ('local', 'job_01a217ba18ccb50c9bcd751e351d3565', 1, '\x78017d51d14ec3300cfc95cacf15a35907635fb1f7094d5e62da409a44a93340d3fe1dbb208184e0cd8eef7c77ce055e7c74b0830967a6727c4de5850ab4902adb34914c52663f6190b789784c0a0e5911a767b2eccf82b940c405cb634975187365019c31545d60ba557f2b3de65cd21bec6e6f3666736de194aa4a5ffe07b6406f6819765c2a096bc02c3b759fa5c2fec95be4c502bf67550bf9e82a06cfef02c9c55b9a5563dfdd481e31a6982f43f236d392be5b1990dd313945c71a420b730a6739c5d2c94c6a112331ac46646c477235e83a298ff7ddc9ddf50ff7f4b041b277486bec8c31ae27d76f8ddb8899572cd1c741040e30f97c94248d9f9b98b8a933b95dc3233572a2a1e0d48ca893c647a6814a73c6e2f114c4dda3da64b57990f22bd372c67df7239a59eaadc8eed7df65ff89d0ac925c8e7ab848ce5aacc6107e0b8c652019c0de48f7e497803e7efe68594e0debd55636fccd5cffc9ec7e3155e55bb3ff87d9c3f5f1fa013350d378');

INSERT INTO public.jobs VALUES ('job_01a217b9f2b13f7e377adbf27f16c95f', 'local', 'cell', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":3,"value":"1/11","bound":"23/243","elapsed":1.853}', NULL, 'sch_e2043291da5485fa599777020e7139b2', 1, 0, NULL, NULL, '2026-11-26 11:59:52.069167+00', 0, 5, '2026-11-26 11:59:52.069167+00', '2026-11-26 11:59:52.388546+00', '2026-11-26 11:59:56.272564+00');
INSERT INTO public.jobs VALUES ('job_01a217ba03f47b2a3f9fb34ecf0d76b5', 'local', 'cell', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":8,"value":"100000/3","bound":"100000/3","elapsed":0.006}', NULL, 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', 1, 0, NULL, NULL, '2026-11-26 11:59:56.418354+00', 0, 4, '2026-11-26 11:59:56.418354+00', '2026-11-26 11:59:56.452416+00', '2026-11-26 11:59:56.493216+00');
INSERT INTO public.jobs VALUES ('job_01a217ba0509c585532f1acbff271523', 'local', 'divisible_chain', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":9,"elapsed":0.112}', NULL, 'sch_e768e634f7362d15ae0ce36e6f17ef6f', 1, 0, NULL, NULL, '2026-11-26 11:59:56.692161+00', 0, 4, '2026-11-26 11:59:56.692161+00', '2026-11-26 11:59:56.736027+00', '2026-11-26 11:59:56.870226+00');
INSERT INTO public.jobs VALUES ('job_01a217ba0630618a9cd2e8a2c3e60146', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":8,"elapsed":0.079}', NULL, 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 1, 0, NULL, NULL, '2026-11-26 11:59:56.982343+00', 0, 4, '2026-11-26 11:59:56.982343+00', '2026-11-26 11:59:57.265123+00', '2026-11-26 11:59:57.376058+00');
INSERT INTO public.jobs VALUES ('job_01a217ba08399c42bd62a379cb4299e6', 'local', 'mono_allocation', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","value":"1/6","bound":"1/6","elapsed":3.186}', NULL, 'sch_156935c679c50fe3792befb348adbf25', 1, 0, NULL, NULL, '2026-11-26 11:59:57.511952+00', 0, 5, '2026-11-26 11:59:57.511952+00', '2026-11-26 11:59:57.546877+00', '2026-11-26 12:00:00.759329+00');
INSERT INTO public.jobs VALUES ('job_01a217ba15237f2edf1db1eab3b22b1b', 'local', 'task_graph', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":2,"value":"1","bound":"162259329790088932501928940666880/162259276829211170138559480856081","elapsed":0.107}', NULL, 'sch_1b8f8afade2580d9fc4e353c356cac41', 1, 0, NULL, NULL, '2026-11-26 12:00:00.814017+00', 0, 4, '2026-11-26 12:00:00.814017+00', '2026-11-26 12:00:00.900249+00', '2026-11-26 12:00:01.050399+00');
INSERT INTO public.jobs VALUES ('job_01a217ba164a540ceb85e25ba32ef87a', 'local', 'task_graph', 'succeeded', 'optimal', '{}', '[]', 60, '{"phase":"verifying","iterations":2,"value":"1","bound":"162259329790088932501928940666880/162259276829211170138559480856081","elapsed":0.058}', NULL, 'sch_591c1f62f8fd39c5698c0127d1fe3d16', 1, 0, NULL, NULL, '2026-11-26 12:00:01.108683+00', 0, 4, '2026-11-26 12:00:01.108683+00', '2026-11-26 12:00:01.136304+00', '2026-11-26 12:00:01.222141+00');
INSERT INTO public.jobs VALUES ('job_01a217ba17ada8fa5527d8a31cd764e2', 'local', 'master_worker', 'succeeded', 'optimal', '{"study":"old"}', '[]', 60, '{"phase":"verifying","iterations":8,"elapsed":0.013}', NULL, 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 1, 0, NULL, NULL, '2026-11-26 12:00:01.463992+00', 0, 4, '2026-11-26 12:00:01.463992+00', '2026-11-26 12:00:01.514726+00', '2026-11-26 12:00:01.550562+00');
INSERT INTO public.jobs VALUES ('job_01a217ba18ccb50c9bcd751e351d3565', 'local', 'master_worker', 'succeeded', 'optimal', '{}', '["mip_gap is not used: the program has no integer variables"]', 30, '{"phase":"verifying","iterations":8,"elapsed":0.017}', NULL, 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 1, 0, NULL, NULL, '2026-11-26 12:00:01.754324+00', 0, 4, '2026-11-26 12:00:01.754324+00', '2026-11-26 12:00:01.805442+00', '2026-11-26 12:00:01.869541+00');
INSERT INTO public.jobs VALUES ('job_01a217ba3b04ab72df4ade37099f0a4a', 'local', 'cell', 'queued', NULL, '{"queued":"cell"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:00:10.537749+00', 0, 1, '2026-11-26 12:00:10.537749+00', NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217ba3b48c32022fdee9f6c3752bf', 'local', 'divisible_chain', 'queued', NULL, '{"queued":"divisible_chain"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:00:10.575813+00', 0, 1, '2026-11-26 12:00:10.575813+00', NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217ba3b6061960086f43fc05d4fb9', 'local', 'master_worker', 'queued', NULL, '{"queued":"master_worker"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:00:10.601025+00', 0, 1, '2026-11-26 12:00:10.601025+00', NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217ba3b72dfa6e538658d932e5065', 'local', 'mono_allocation', 'queued', NULL, '{"queued":"mono_allocation"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:00:10.618144+00', 0, 1, '2026-11-26 12:00:10.618144+00', NULL, NULL);
INSERT INTO public.jobs VALUES ('job_01a217ba3b853dd1123f05239e6556d6', 'local', 'task_graph', 'queued', NULL, '{"queued":"task_graph"}', '[]', 60, NULL, NULL, NULL, 0, 0, NULL, NULL, '2026-11-26 12:00:10.63812+00', 0, 1, '2026-11-26 12:00:10.638121+00', NULL, NULL);

INSERT INTO public.platforms VALUES ('local', 'plt_f61b242dc11bcf758c318efe14050b6f', '{"name":"RR-4870, figure 3","counts":{"processors":4,"links":4,"media":0,"routes":0},"warnings":[]}', '\x7801ad90dd0a824010855f25e6da404b287c8af03624161d6d69fd617fa810dfbd192392a542a4cbd99d73e69caf8746d40809a4e93adeefc26055caca695c6d21804eb7391ad36a03c9b10759d0de21a20fd7487bb2721446213d98abb4f91992522883012861b1c9efb41ec210bc941b4fc9f32c2167999e9c2d8c3d2167ff7531a3e8b2b93ceb9ad6e99cd18c95add0155a9efc1a6c5ab84ee18d7e4ba714cd351652103436f4587cb3f54b2eb6e57cefb49f102c4acbf9fe634b50267c74eb2c32f16c78009e8ac87b', '2026-11-26 12:00:01.391908+00');

INSERT INTO public.schedule_chunks VALUES ('local', 'sch_e2043291da5485fa599777020e7139b2', 'allocations', 0, 0, 1, NULL, '\x78019591310b83301046ffcb37076aac3a6477173a8a9450234841e52e4341f2df9bd44a6f29e2f6022fc7f1ae5d318cc4febe381ae79e61da151bc3688585e687639e09064d536b2878cbcff8f21982faebde9a3a17ae3e70e5dcfc847b3d70e50ec509b73c70e5be1542a7304ebd7bc16489d8db29564b4dbf5d63aff485ac77092f7a1f1083af29e5afae8ebcd7cb37fec857c185704ac1d5ee847826b2130f8ed249bbd0bd01919a9230');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_e2043291da5485fa599777020e7139b2', 'computations', 0, 0, 7, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f203025c4142c525894520690320bb24b1381bc82c01b3337353816c4ba55a1da28d0cc66da411c87888912614186982e44a63ea18698164a419c24863125d09f220b6b0048531d4e3a61418698ae44a702040c2921257227b1c6c3cdcc85800e341ac7d');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', 'allocations', 0, 0, 1, NULL, '\x78018591410bc2300c85ff4bce059d8a87debd0f3c8e21c575ae3ad6d11414c6febb4956d4c9c49db2f6bde47b693140ed02c6536f83f315822e06986ad099823ef8b345f40134e4f9210305d1e08dfeb06f5d8451bde5bbb9fc981f366f79ebef7fc41fbd1b776966eafdbcf59ce4ea5d0763a9c075957d805e7385d17444ceb9523662e611c144cbe59abfd5361152f00164ac060267a1b47da5667eb9e24c53f67437d24a82e9b0b6615a5fed5a9a50249502b6125d6f62c3c7095ed643c7d898204012f8db2b488be68c7b2e9b7960e2ffb0a6f790f13fad326fd1cb2b59f09663f9045fcaaf77');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', 'computations', 0, 0, 4, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f203025c4142c525894520690320bb24b1381bc82c2ec8c92c0171337353411af54d0d8040a956875cb36126c06dc8cacfcc43b6c0106401493604e3747d46667a06c26c637db2cc36029a80256472f2cbb1191d0b003d166d1b');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', 'slots', 0, 0, 1, '0', '\x78019d90b10ec2201445ffe5ce24b6ba75ef4ee2d830104aed3304cc83ead0f4df05e26074a932715f2ee79d30ac1817d689824787d3a16dca81404c9a531e957b62ede36439a21b5668e78279bd68044c587c29b6b93891b3b9837873947276e10125c0d658ba5bceadb3ec8f856efd58b3947d8b4dfc449de9327f63cbfebfb04552e01ac87f40abdb1bb4baef74ad8e7ba9f907d4a69e919278b0');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_e768e634f7362d15ae0ce36e6f17ef6f', 'events', 0, 0, 10, '0', '\x7801a593cb0e82301045ff65d624da07287c830bf6c605d11a09584c5b57c67fb7350e156a51e292a6b9a7e7ceb0bd8190072880e47491a50c12a8a53655db9e85345090049afa79c1a84aeaa350f6465bcb068a2d94c47e941476f6a8ab5ccac69de853a5c420d2062a1b064bb82708cc53b2a019a171e2be3b5fae4638e05bfa45757ba175a76cdef301886364f532f884632c9bf6fb81e6de8a34df17d2f0c42b4698f49f4e391f498658ca389b5dad738b56cbb331b59f9eb7e5fdd3061be46de736dce761c3d8e757e6dcad1d0c76b91e351c62539ace5da6a0df692696e955234c5fef6f3fe83b764d46a62135ba4b9e1b8e75d23580a2d87df700f20f475c');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 'allocations', 0, 0, 4, NULL, '\x7801a590d10ac2201885dfe55c0b4db720f614bb9711d65c93c2867a3118be7bbf236ad4d6c5ba108e47fcf8387284b18d1e50668c920fca9eb53ff6daa563ee0d4a70303815748abb22a35b50feea518e53a0bae288d43a657dab1dbdc83ab21799af92f773f261092c3ec1235a7323158993be18fbfc839aa157a14b3dc930542255be536ed2469c0b893f84f2ad42f90fa17c5588a7b9dfe32f4d546c351269a7e24bab7e001021a490');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 'computations', 0, 0, 4, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f2034002c525894520490320bb24b1381bc80453405e666e2a906762a054ab836aa621c24c5374338dc834d3088f99c6649a698c30d310e43f14cf9b106b682c0006236591');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_71bd6497e95aec6ae3a1222d4ed482d5', 'slots', 0, 0, 3, '0', '\x7801a590b10ec2201086dfe59f190474e953b8370c48af86482001ead2f0ee42d568079ba8db5df2dd7ff75d3f6398a2ce367874103b30a4ac63ae4dab73d43e8d1413ba7e86762e98072b194c987c03792347eba84238d1d9fa36a9d3058a2192217ba558b9a368e9e4877bc751d8ff99fb55a640512df5cd69b9eee9b4087e96e22fa9c3af4e9bfbe5f653c5f7fbe5cabffe54157503606e9109');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_156935c679c50fe3792befb348adbf25', 'allocations', 0, 0, 1, NULL, '\x78017d8fc10a83300c86df25e7c2e665075f4564841ab5d87592743010df7da9d5cecb7628247f9aefffd32ce042476fa8af462b89182cc97d264ecf3d3ba8a102038c915279b969135126817a01f46e082acb03bdd781c539be387db4f82046953a8a64a32a1e79a0b4cc68a7d2af9b10a4275662b340efbcee3705657693d6c08c71cca39d9d6d7522236eae15ace68bc8e94a8413e1c89b33fd041ce71ca14f8472df3f54bbb61f580d70b5');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_156935c679c50fe3792befb348adbf25', 'computations', 0, 0, 4, '0', '\x7801a5d0310ec2300c05d0bb78ce50a062e855108365ac2a6a1257b63ba1de9d04862c1d406cce77f4f4e5db13302521f42805a62100c9561c263841805585d84cb4be09332bd6d01cb57d18eaec68cb7bb7faa6dc8298b90617d8c3d7b2e55ae118c614e7d2d9eb2f6c429d5ba583be0f7626efeef88f3b36e7730757a4a5b367d8ef2fc3a96de5');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_156935c679c50fe3792befb348adbf25', 'slots', 0, 0, 1, '0', '\x7801a58fc10a83400c44ff65ce7b682f3df82be221c4284bd7b564632fe2bf37d6d282d022f41686c79b493da39d942c8e19152e0828466a7e9ffc36a55c3ad182aa9e41298dfc424f013c4e7905cf0e7631893360bad9a4e209a5d86734012a2cf12eea64195cb156486e9f01d3204a58c221f9a60c68c5846de74ea4fddafb766f6507d59fddfe325f77ee3f77ff967f1bde2ccd03c00885ea');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_1b8f8afade2580d9fc4e353c356cac41', 'allocations', 0, 0, 2, NULL, '\x7801cd90c10a83301044ff65cf42ab89977c450fde2494502386162b490e85e0bfbb133c548b9742a187c064366f76b36d223776f645ea5cb00ad18c371bae93f538eed991a2920af2265ac853c59768c23d904ad494ec5d506f2a28141b0125a02494a499096fc6d05bcf549ba8770f0e6b81675217349938c0ca619cc356188ccf3d3960cf083cd832d93a60f25c72c3c0e2d98efbac3f78ef03eb83d1986edd61f9a31dd67fbcc3fa8b1dee193deb052b45b04f');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_1b8f8afade2580d9fc4e353c356cac41', 'computations', 0, 0, 8, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523254d2512a28ca4f4e2d2ece2f02f2034002c525894520490320bb24b1381bc80c01899764e6a682f5d4eaa01a6848a48160438831109f0b8d70b810244e960b910d4476215e03f1b9d018870b41e264b910d9406417e235109f0b4d70b810240e75a1911229b16c4a9481b1006c96bf27');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_1b8f8afade2580d9fc4e353c356cac41', 'slots', 0, 0, 4, '0', '\x7801b593c10a83301044ff65cf811a632f7e450fdec443d008018910632fe2bf77a3c536364a42f1666032eeccbe941334a3e646f60a72a0b714080c866b83a704bf8de66a68851e202f27e05dd7d76f7142a0ee476585ebb55676025550588f22838a8016b5904fa151f3c8acb350cd7a4a6126ae1ffdf243e9e646ad5bba775be6dcdce8a9db126af363dee9eece740ce6cace7758cd9a38ac9cffc35c59f515e560e2b06a427eee72839b89e186edb9b1dbff5018c38d9f6a971ba4fa9c1bb6240e2be7879be830c7dcf81f414cd5eeea82cba95e3ef54e19');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_591c1f62f8fd39c5698c0127d1fe3d16', 'allocations', 0, 0, 2, NULL, '\x7801cd90c10a83301044ff65cf421b8d17bfa2076f2194502386162b490e85e0bfbb133c548b9742a107619ce4cd6e46257263675fd49c0b56219af166c375b21e9f7b76d450490579132d4b71c24f34e11ea849d40af62e82adb684c2615b415550124ad2cc843763e8ad674a25eadd83c314f04cea8226130758398c73d80a83f1792607ec990a17b64cb60e98bc97dc30b078b7e339eb0bdee7c0fa6034b65b3b143feab0fee30eeb2f3adc337ad60b2ecbb051');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_591c1f62f8fd39c5698c0127d1fe3d16', 'computations', 0, 0, 8, '0', '\x78018bae564accc9c94f4e2cc9cccf53b232d0514ace2fcd2b51b2523252d2512a28ca4f4e2d2ece2f02f2030c8102c525894520490320bb24b1381bc80c01899764e6a682f5d4eaa01a6848a48120db8832109f0b4186607321d870725c886c20b20bf11a88cf85c6385c0812272b0c910d4476215e03f1b9d004870b41e250179a289112cba64419180b0084a4bf3c');
INSERT INTO public.schedule_chunks VALUES ('local', 'sch_591c1f62f8fd39c5698c0127d1fe3d16', 'slots', 0, 0, 4, '0', '\x7801b592cb0a83301045ffe5aeb3f0d58d5fd1853b71113482201162ec46fcf7ce60a944ab8dc5ee12989cccdc39f9886a30d2369d468a1002bd95c6d239a0b33552f7b5323dd27c846cdbae7c9506026537682ee44775d32aaa4116d1254b50081855aae6a10c55dc13e62a5dcdb708937069e14263c09bc66842ae685cb2d0c2239ad35bccb44d6f378716632ab8bb9d5098e715ca0563fc2de2ab43e159bd42f1f8d83585b671c694786d0a6ffc175378a26fa690c547a6f0d75ea16c4d393dc69e299f853f11b1b330ef508a279f7648d0');

INSERT INTO public.schedules VALUES ('local', 'sch_e2043291da5485fa599777020e7139b2', '{"period":"11","instances_per_period":"1","throughput":"1/11","optimal_throughput":"1/11","loss":"0","rounding_loss":null,"ports":"multiport","prologue_periods":0,"latency_periods":1,"preempted":false,"counts":{"allocations":1,"computations":7,"slots":0,"transfers":0},"files":[]}', '2026-11-26 11:59:56.256077+00');
INSERT INTO public.schedules VALUES ('local', 'sch_92d48c6841dd9e36c8023daf4e3ba6c7', '{"period":"3/100000","instances_per_period":"1","throughput":"100000/3","optimal_throughput":"100000/3","loss":"0","rounding_loss":null,"ports":"multiport","prologue_periods":5,"latency_periods":6,"preempted":false,"counts":{"allocations":1,"computations":4,"slots":1,"transfers":4},"files":[["split","low"],["split","high"],["low","join"],["high","join"]]}', '2026-11-26 11:59:56.489079+00');
INSERT INTO public.schedules VALUES ('local', 'sch_e768e634f7362d15ae0ce36e6f17ef6f', '{"period":null,"makespan":"2343/2612","instances_per_period":null,"throughput":null,"optimal_throughput":null,"loss":null,"rounding_loss":null,"ports":"strict_one_port","prologue_periods":null,"latency_periods":null,"preempted":null,"counts":{"allocations":0,"computations":0,"slots":0,"transfers":0,"events":10},"files":[]}', '2026-11-26 11:59:56.865171+00');
INSERT INTO public.schedules VALUES ('local', 'sch_71bd6497e95aec6ae3a1222d4ed482d5', '{"period":"40","instances_per_period":"21","throughput":"21/40","optimal_throughput":"21/40","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":2,"latency_periods":3,"preempted":false,"counts":{"allocations":4,"computations":4,"slots":3,"transfers":4},"files":[["begin","task"]]}', '2026-11-26 11:59:57.37353+00');
INSERT INTO public.schedules VALUES ('local', 'sch_156935c679c50fe3792befb348adbf25', '{"period":"6","instances_per_period":"1","throughput":"1/6","optimal_throughput":"1/6","loss":"0","rounding_loss":null,"ports":"multiport","prologue_periods":5,"latency_periods":6,"preempted":false,"counts":{"allocations":1,"computations":4,"slots":1,"transfers":4},"files":[["capture","align"],["align","detect"],["detect","track"],["capture","track"]]}', '2026-11-26 12:00:00.755152+00');
INSERT INTO public.schedules VALUES ('local', 'sch_1b8f8afade2580d9fc4e353c356cac41', '{"period":"2","instances_per_period":"2","throughput":"1","optimal_throughput":"1","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":4,"latency_periods":5,"preempted":true,"counts":{"allocations":2,"computations":8,"slots":4,"transfers":12},"files":[["T1","T2"],["T1","T3"],["T2","T4"],["T3","T4"]]}', '2026-11-26 12:00:01.041506+00');
INSERT INTO public.schedules VALUES ('local', 'sch_591c1f62f8fd39c5698c0127d1fe3d16', '{"period":"4","instances_per_period":"4","throughput":"1","optimal_throughput":"1","loss":"0","rounding_loss":null,"ports":"one_port","prologue_periods":4,"latency_periods":5,"preempted":false,"counts":{"allocations":2,"computations":8,"slots":4,"transfers":12},"files":[["T1","T2"],["T1","T3"],["T2","T4"],["T3","T4"]]}', '2026-11-26 12:00:01.214859+00');

ALTER TABLE ONLY public.alembic_version
    ADD CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num);

ALTER TABLE ONLY public.applications
    ADD CONSTRAINT pk_applications PRIMARY KEY (tenant, id);

ALTER TABLE ONLY public.idempotency_keys
    ADD CONSTRAINT pk_idempotency_keys PRIMARY KEY (tenant, key);

ALTER TABLE ONLY public.job_events
    ADD CONSTRAINT pk_job_events PRIMARY KEY (job_id, seq);

ALTER TABLE ONLY public.job_instances
    ADD CONSTRAINT pk_job_instances PRIMARY KEY (job_id);

ALTER TABLE ONLY public.job_labels
    ADD CONSTRAINT pk_job_labels PRIMARY KEY (job_id, key);

ALTER TABLE ONLY public.job_results
    ADD CONSTRAINT pk_job_results PRIMARY KEY (job_id);

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT pk_jobs PRIMARY KEY (id);

ALTER TABLE ONLY public.platforms
    ADD CONSTRAINT pk_platforms PRIMARY KEY (tenant, id);

ALTER TABLE ONLY public.schedule_chunks
    ADD CONSTRAINT pk_schedule_chunks PRIMARY KEY (tenant, schedule_id, part, number);

ALTER TABLE ONLY public.schedules
    ADD CONSTRAINT pk_schedules PRIMARY KEY (tenant, id);

ALTER TABLE ONLY public.workers
    ADD CONSTRAINT pk_workers PRIMARY KEY (tenant, id);

CREATE INDEX ix_applications_tenant_created_at_id ON public.applications USING btree (tenant, created_at, id);

CREATE INDEX ix_idempotency_keys_created_at ON public.idempotency_keys USING btree (created_at);

CREATE INDEX ix_idempotency_keys_job_id ON public.idempotency_keys USING btree (job_id);

CREATE INDEX ix_job_labels_tenant_key_value_job_id ON public.job_labels USING btree (tenant, key, value, job_id);

CREATE INDEX ix_jobs_state_failures_id ON public.jobs USING btree (state, failures, id);

CREATE INDEX ix_jobs_tenant_id ON public.jobs USING btree (tenant, id);

CREATE INDEX ix_jobs_tenant_schedule_id ON public.jobs USING btree (tenant, schedule_id);

CREATE INDEX ix_jobs_tenant_state_id ON public.jobs USING btree (tenant, state, id);

CREATE INDEX ix_platforms_tenant_created_at_id ON public.platforms USING btree (tenant, created_at, id);

ALTER TABLE ONLY public.job_events
    ADD CONSTRAINT fk_job_events_job_id_jobs FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.job_instances
    ADD CONSTRAINT fk_job_instances_job_id_jobs FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.job_labels
    ADD CONSTRAINT fk_job_labels_job_id_jobs FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.job_results
    ADD CONSTRAINT fk_job_results_job_id_jobs FOREIGN KEY (job_id) REFERENCES public.jobs(id) ON DELETE CASCADE;

ALTER TABLE ONLY public.jobs
    ADD CONSTRAINT fk_jobs_tenant_schedule_id_schedules FOREIGN KEY (tenant, schedule_id) REFERENCES public.schedules(tenant, id);

ALTER TABLE ONLY public.schedule_chunks
    ADD CONSTRAINT fk_schedule_chunks_tenant_schedule_id_schedules FOREIGN KEY (tenant, schedule_id) REFERENCES public.schedules(tenant, id) ON DELETE CASCADE;
