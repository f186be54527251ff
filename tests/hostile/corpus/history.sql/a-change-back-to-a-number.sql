UPDATE changes SET before = '5';
